import { writeAudit } from '../../../platform/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context.ts';
import type { WireRecord } from '../querying/wire.ts';

/** In the transaction of the change: how the record was and is, as the owner sees it. */
export const auditChange = (
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { before, after }: { readonly before?: WireRecord; readonly after?: WireRecord },
) =>
  writeAudit(ctx, {
    actorKind: ctx.actor.kind,
    actor: ctx.actor.name,
    action,
    target: String((after ?? before)?.['id']),
    ...tenant,
    before,
    after,
  });
