import { isAccountName } from '../../kernel/account-name.ts';
import { DEVICE_ID_SHAPES, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { type Account, findAccountByName } from '../accounts/index.ts';
import { type DeviceKey, findDeviceKey } from '../devices/index.ts';
import { operatorFaults } from './errors.ts';

export const findNamedAccount = async ({ db }: Ctx, name: string): Promise<Account> =>
  (isAccountName(name) ? await findAccountByName(db, name) : undefined) ?? refuse(operatorFaults.noAccount);

export async function findNamedDevice({ db }: Ctx, params: { kind: string; id: string }): Promise<DeviceKey> {
  const kind =
    parseDeviceIdKind(params.kind) ??
    refuse(operatorFaults.badDeviceId, { reason: `${params.kind} is no kind` });
  const deviceId = parseDeviceId(kind, params.id);
  if (deviceId === undefined)
    refuse(operatorFaults.badDeviceId, { reason: `${kind} must be ${DEVICE_ID_SHAPES[kind]}` });
  return (await findDeviceKey(db, deviceId)) ?? refuse(operatorFaults.noDevice);
}
