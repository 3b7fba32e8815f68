import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../kernel/device-id.ts';
import type { DeviceRef } from '../callbacks/index.ts';
import type { NamedDevice } from './summary-request.ts';

/** A device as far as a summary has to do with it. */
export type Line = { readonly deviceId: string; readonly servicePlan: string | null } & {
  readonly [K in DeviceIdKind]: string | null;
};

/** Everything that it can be named by. */
export const refsOf = (line: Line): readonly DeviceRef[] =>
  DEVICE_ID_KINDS.flatMap((kind) => {
    const id = line[kind];
    return id === null ? [] : [{ id, kind }];
  });

/** What was used stays when a device is deleted: then its own key is all that is left to name it by. */
export const refOfDeleted = (deviceId: string): DeviceRef => ({ id: deviceId, kind: 'deviceId' });

export const refOfNamed = ({ value, spelled }: NamedDevice): DeviceRef => ({ id: value, kind: spelled });
