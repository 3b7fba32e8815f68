import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { deleteMessagesAbout } from '../callbacks/index.ts';
import { forgetLines } from '../consents/index.ts';
import { eraseLocations } from './sql-entry.ts';

/**
 * For lines that their account deletes: erases its positions of them from its reports and callbacks, also those of the
 * time before they left and came back. Other accounts keep what they may show. Returns the number of changed rows.
 */
export async function eraseOwnPositions(
  { db, now }: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
): Promise<number> {
  const earlier = await forgetLines(db, tenant, deviceIds);
  const spans = [...new Set([...deviceIds, ...earlier])].map((deviceId) => ({
    deviceId,
    from: null,
    to: null,
  }));
  return (await eraseLocations(db, tenant, now(), spans)) + (await deleteMessagesAbout(db, tenant, spans));
}
