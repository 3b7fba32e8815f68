import { type DeviceId, parseDeviceIdKind } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { LockedDevice } from '../../carrier-requests/index.ts';
import { addIdentifiers, listTaken } from '../../devices/index.ts';

const wordOf = ({ kind, value }: DeviceId): string => `${kind} ${value}`;

const newIdsOf = (device: LockedDevice): readonly DeviceId[] =>
  device.answered.deviceIds.flatMap(({ id, kind: word }) => {
    const kind = parseDeviceIdKind(word);
    return kind === undefined || device[kind] === id ? [] : [{ kind, value: id }];
  });

export interface NamedDevice {
  readonly device: LockedDevice;
  /** By which the request names it beside its own. */
  readonly ids: readonly DeviceId[];
}

/** Without devices that have another identifier of a kind by which they are named, or whose new one somebody has. */
export async function findNamedIds(
  ctx: Ctx,
  devices: readonly LockedDevice[],
): Promise<readonly NamedDevice[]> {
  const asked = devices.map((device) => ({ device, ids: newIdsOf(device) }));
  const wanted = asked.flatMap(({ ids }) => ids);
  const taken = new Set(wanted.length > 0 ? await listTaken(ctx.db, wanted) : []);
  return asked.filter(({ device, ids }) => {
    if (ids.some((id) => device[id.kind] !== null || taken.has(wordOf(id)))) return false;
    for (const id of ids) taken.add(wordOf(id));
    return true;
  });
}

/**
 * Identifiers by which the request names a device beside those that it has become its own, such as the SIM that is in it
 * now. Answers the devices with them. Who gets one between the look and the write undoes the transaction, and is seen the
 * next time.
 */
export async function addNamedIds(
  ctx: Ctx,
  tenant: Tenant,
  named: readonly NamedDevice[],
): Promise<readonly LockedDevice[]> {
  const added = named.filter(({ ids }) => ids.length > 0);
  await addIdentifiers(
    ctx,
    tenant,
    added.map(({ device: { deviceId }, ids }) => ({ deviceId, ids })),
  );
  return named.map(({ device, ids }) => ({
    ...device,
    ...Object.fromEntries(ids.map(({ kind, value }) => [kind, value])),
  }));
}
