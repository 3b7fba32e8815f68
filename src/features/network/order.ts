import type { DeviceState } from '../devices/index.ts';
import type { LineIds, WantedState } from './port.ts';

/** Why a line is ordered: what waits for the confirmation, or what the network follows. */
export type OrderCause = 'request' | 'resume' | 'follow' | 'back' | 'repair';

/** A line as an element is to have it. */
export interface WantedLine extends LineIds {
  readonly deviceId: string;
  readonly accountName: string;
  readonly wanted: WantedState;
  readonly plan?: string;
}

/** An element that a line is mapped to. */
export interface Route {
  readonly element: string;
  /** Told when the line has changed, and not waited for. */
  readonly afterwards: boolean;
  /** Not carried out before this much has passed. */
  readonly delayMs?: number;
}

/** The columns of a device that a network asks for. */
export interface NetworkLine {
  readonly deviceId: string;
  readonly accountName: string;
  readonly state: DeviceState;
  readonly servicePlan: string | null;
  readonly imsi: string | null;
  readonly msisdn: string | null;
  readonly mdn: string | null;
  readonly imei: string | null;
  readonly iccid: string | null;
}

const WANTED: Readonly<Record<DeviceState, WantedState>> = {
  'pre-active': 'gone',
  active: 'active',
  suspend: 'suspended',
  deactive: 'gone',
};

/** The country code of numbers that are ten digits long. */
const COUNTRY = '1';

/** How the network is to have a line; undefined where no element could know it. */
export function wantedOf(line: NetworkLine): WantedLine | undefined {
  const { deviceId, accountName, state, servicePlan, imsi, msisdn, mdn, imei, iccid } = line;
  if (imsi === null) return undefined;
  const wanted = WANTED[state];
  const number = msisdn ?? (mdn === null ? null : `${COUNTRY}${mdn}`);
  return {
    deviceId,
    accountName,
    imsi,
    ...(number !== null && { msisdn: number }),
    ...(imei !== null && { imei }),
    ...(iccid !== null && { iccid }),
    wanted,
    ...(wanted === 'active' && servicePlan !== null && { plan: servicePlan }),
  };
}

export const goneFrom = (line: WantedLine): WantedLine => {
  const { plan: _, ...rest } = line;
  return { ...rest, wanted: 'gone' };
};

/** Whether an element that has the one has the other too. */
export const isSame = (a: WantedLine | undefined, b: WantedLine | undefined): boolean =>
  a?.imsi === b?.imsi && a?.wanted === b?.wanted && a?.plan === b?.plan && a?.msisdn === b?.msisdn;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/** Until the next try; `attempts` counts the one that has just failed. */
export const pauseMs = (attempts: number): number =>
  Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.min(10, Math.max(0, attempts - 1)));
