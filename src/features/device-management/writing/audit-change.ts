import { writeAudit } from '../../../platform/audit.ts';
import type { Ctx, Principal, Tenant } from '../../../platform/context.ts';
import type { WireRecord } from '../querying/wire.ts';

/** Who changes a record of which account. */
export interface Author {
  readonly tenant: Tenant;
  readonly principal: Pick<Principal, 'username'>;
}

/** In the transaction of the change: how the record was and is, as the owner sees it. */
export const auditChange = (
  ctx: Ctx,
  { tenant, principal }: Author,
  action: string,
  { before, after }: { readonly before?: WireRecord; readonly after?: WireRecord },
) =>
  writeAudit(ctx, {
    actorKind: 'user',
    actor: principal.username,
    action,
    target: String((after ?? before)?.['id']),
    ...tenant,
    before,
    after,
  });
