import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findActionOf, insertChainLines, listChainLines } from './sql-action.ts';

/**
 * What follows from a change of plan that has moved usage. Named by the action at its beginning, which followed from usage or from
 * the end of a cycle.
 */
export interface Chain {
  readonly chainId: string;
  /** Whose lines were moved last. */
  readonly accountName: string;
}

/** The chain of the action that a request carries out. */
export async function findChain({ db }: Ctx, tenant: Tenant, requestId: string): Promise<Chain | undefined> {
  const action = await findActionOf(db, tenant, requestId);
  return action && { chainId: action.chainId ?? action.actionId, accountName: tenant.accountName };
}

/** In the transaction in which a request has changed the plans of lines: what follows from it leaves them alone. */
export async function noteChangedPlans(
  { db, now }: Ctx,
  tenant: Tenant,
  { requestId, deviceIds }: { readonly requestId: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  const action = deviceIds.length === 0 ? undefined : await findActionOf(db, tenant, requestId);
  if (action === undefined) return;
  // Nothing follows from a change that moves no usage, unless it follows from one that did.
  if (action.chainId === null && action.effective !== 'BackDate') return;
  await insertChainLines(db, tenant, action.chainId ?? action.actionId, deviceIds, now());
}

/** The lines whose plan was changed in a chain; none where there is no chain. */
export const movedInChain = async (
  { db }: Ctx,
  ecpdId: string,
  chainId: string | null,
): Promise<ReadonlySet<string>> => new Set(chainId === null ? [] : await listChainLines(db, ecpdId, chainId));
