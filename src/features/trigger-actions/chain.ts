import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { findActionOf, insertChainLines, listChainLines } from './sql-action.ts';

/**
 * The actions that follow from a change of plan that moved usage. The chain is named by its first action, which was
 * caused by usage or by the end of a cycle.
 */
export interface Chain {
  readonly chainId: string;
  /** The account whose lines were moved last. */
  readonly accountName: string;
}

/** The chain of the action that a request carries out. */
export async function findChain({ db }: Ctx, tenant: Tenant, requestId: string): Promise<Chain | undefined> {
  const action = await findActionOf(db, tenant, requestId);
  return action && { chainId: action.chainId ?? action.actionId, accountName: tenant.accountName };
}

/** Called in the transaction in which a request changed the plans of lines: later actions of the chain skip these lines. */
export async function noteChangedPlans(
  { db, now }: Ctx,
  tenant: Tenant,
  { requestId, deviceIds }: { readonly requestId: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  const action = deviceIds.length === 0 ? undefined : await findActionOf(db, tenant, requestId);
  if (action === undefined) return;
  // A change that moves no usage causes no further actions, unless it belongs to a chain that did move usage.
  if (action.chainId === null && action.effective !== 'BackDate') return;
  await insertChainLines(db, tenant, action.chainId ?? action.actionId, deviceIds, now());
}

/** The lines whose plan was changed in a chain; empty without a chain. */
export const movedInChain = async (
  { db }: Ctx,
  ecpdId: string,
  chainId: string | null,
): Promise<ReadonlySet<string>> => new Set(chainId === null ? [] : await listChainLines(db, ecpdId, chainId));
