import { type DeviceId, parseDeviceIdKind } from '../../../kernel/device-id.ts';
import type { Ctx, Tenant } from '../../../platform/context.ts';
import type { LockedDevice } from '../../carrier-requests/index.ts';
import { addIdentifiers, listTaken } from '../../devices/index.ts';

const wordOf = ({ kind, value }: DeviceId): string => `${kind} ${value}`;

const newIdsOf = (device: LockedDevice): readonly DeviceId[] =>
  device.answered.deviceIds.flatMap(({ id, kind: word }) => {
    const kind = parseDeviceIdKind(word);
    return kind === undefined || device[kind] === id ? [] : [{ kind, value: id }];
  });

/**
 * Identifiers by which the request names a device beside those that it has become its own, such as the SIM that is in it
 * now. Answers the devices with them; those that have another of the kind, or whose new one somebody has, are left out.
 * Who gets one between the look and the write undoes the transaction, and is seen the next time.
 */
export async function addNamedIds(
  ctx: Ctx,
  tenant: Tenant,
  devices: readonly LockedDevice[],
): Promise<readonly LockedDevice[]> {
  const asked = devices.map((device) => ({ device, ids: newIdsOf(device) }));
  const wanted = asked.flatMap(({ ids }) => ids);
  const taken = new Set(wanted.length > 0 ? await listTaken(ctx.db, wanted) : []);
  const free = asked.filter(({ device, ids }) => {
    if (ids.some((id) => device[id.kind] !== null || taken.has(wordOf(id)))) return false;
    for (const id of ids) taken.add(wordOf(id));
    return true;
  });
  const added = free.filter(({ ids }) => ids.length > 0);
  await addIdentifiers(
    ctx,
    tenant,
    added.map(({ device: { deviceId }, ids }) => ({ deviceId, ids })),
  );
  return free.map(({ device, ids }) => ({
    ...device,
    ...Object.fromEntries(ids.map(({ kind, value }) => [kind, value])),
  }));
}
