import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { ManagedService } from '../accounts/index.ts';
import { allowanceOf, findSubscription, listStatementLines, type StatementLine } from '../usage/index.ts';

export interface Statement {
  readonly skuName: string;
  readonly allowed: number;
  readonly lines: readonly StatementLine[];
  /** The sum of the lines. */
  readonly total: bigint;
}

/**
 * What a primary account is billed for in a calendar month of its zone. A use is on the statement of who paid for the
 * account when it was recorded: activating or cancelling later moves nothing.
 */
export async function readStatement(
  { db }: Ctx,
  tenant: Tenant,
  { serviceName, month }: { readonly serviceName: ManagedService; readonly month: string },
): Promise<Statement> {
  const [subscription, lines] = await Promise.all([
    findSubscription(db, tenant, serviceName),
    listStatementLines(db, tenant, { serviceName, month }),
  ]);
  const skuName = subscription?.skuName ?? '';
  return {
    skuName,
    allowed: allowanceOf(skuName, subscription?.allowance ?? null),
    lines,
    total: lines.reduce((sum, { transactions }) => sum + transactions, 0n),
  };
}
