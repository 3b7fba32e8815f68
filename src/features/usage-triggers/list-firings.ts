import { isUuid } from '../../kernel/uuid.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { type Firing, findFiringTime, listFirings } from '../firings/index.ts';
import { usageTriggerFaults } from './errors.ts';
import { findTrigger } from './sql.ts';

const LIMIT = 100;

/** Also of a trigger that was deleted, as long as its firings are kept. */
export async function listTriggerFirings(
  { db }: Ctx,
  tenant: Tenant,
  triggerId: string,
  { limit = LIMIT, before }: { readonly limit?: number; readonly before?: string },
): Promise<Firing[]> {
  const at =
    before !== undefined && isUuid(before) ? await findFiringTime(db, tenant.ecpdId, before) : undefined;
  if (before !== undefined && at === undefined) refuse(usageTriggerFaults.invalidBefore);
  const firings = await listFirings(db, {
    ...tenant,
    triggerId,
    before: at && before ? { at, id: before } : undefined,
    limit,
  });
  if (firings.length === 0 && (await findTrigger(db, tenant, triggerId)) === undefined)
    refuse(usageTriggerFaults.notFound);
  return firings;
}
