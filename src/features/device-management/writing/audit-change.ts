import { writeAudit } from '../../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { WireRecord } from '../querying/wire.ts';

export interface RecordChange {
  /** The id of the record where the states do not tell it. */
  readonly target?: string;
  readonly at?: Date;
  readonly before?: WireRecord;
  readonly after?: WireRecord;
}

/** In the transaction of the change, with its moment: how the record was and is, as the owner sees it. */
export const auditChange = (
  ctx: Ctx,
  tenant: Tenant,
  action: string,
  { at, before, after, target = String((after ?? before)?.['id']) }: RecordChange,
) =>
  writeAudit(ctx, {
    at,
    action,
    target,
    ...tenant,
    before,
    after,
  });
