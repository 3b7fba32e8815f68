import type { FaultKind } from '../../platform/context/fault.ts';

/** Why one device of a request was not changed, as its callback tells it. */
export interface DeviceFault {
  readonly faultcode: string;
  readonly faultstring: string;
}

/** Faults of devices are rows of the catalogue like refusals; the reason says what the catalogue's words cannot. */
export const toDeviceFault = ({ code, message }: FaultKind, reason?: string): DeviceFault => ({
  faultcode: code,
  faultstring: reason === undefined ? message : `${message}: ${reason}`,
});
