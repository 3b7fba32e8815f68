import { writeAudit } from '../../../platform/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context.ts';
import type { WireRecord } from '../querying/wire.ts';

/** In the transaction of the change, with its moment: how the record was and is, as the owner sees it. */
export const auditChange = (
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { at, before, after }: { readonly at?: Date; readonly before?: WireRecord; readonly after?: WireRecord },
) =>
  writeAudit(ctx, {
    at,
    actorKind: ctx.actor.kind,
    actor: ctx.actor.name,
    action,
    target: String((after ?? before)?.['id']),
    ...tenant,
    before,
    after,
  });
