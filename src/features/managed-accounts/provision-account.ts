import { isAccountName } from '../../kernel/account-name.ts';
import { isSameSku } from '../../kernel/sku-name.ts';
import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import {
  type Candidate,
  endOtherAdditions,
  holdAccounts,
  isPrimaryAccount,
  listCandidates,
  lockManaged,
  lockManaging,
  lockRelation,
  type ManagedAccount,
  type ManagedService,
  provisionManagedAccount,
  type Relation,
  setPeriods,
} from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';
import { type ActionResult, fail, REASONS, type Reason, SUCCESS } from './managed-account.ts';
import { requireManaged } from './require-credentials.ts';

/** The relation to activate or cancel, as the caller describes it. */
export interface Activation {
  readonly paccountName: string;
  readonly serviceName: ManagedService;
  readonly skuName: string;
  readonly txid: string;
}

/** Ignores the letter case of ids. */
export const isTxid = (given: string, expected: string | null): boolean => given.toLowerCase() === expected;

/** The relation's key. A primary account of another customer is refused like an unknown one. */
export async function requireRelation(
  { db }: Ctx,
  tenant: Tenant,
  { paccountName, serviceName }: Activation,
): Promise<Relation> {
  const { ecpdId } = tenant;
  if (!isAccountName(paccountName) || !(await isPrimaryAccount(db, { ecpdId, accountName: paccountName })))
    refuse(managedAccountFaults.primaryNotRegistered);
  return { ...tenant, paccountName, serviceName };
}

/** Requires the stored relation to match the caller's description. */
export function requireDescribed(kept: ManagedAccount | undefined, { skuName }: Activation): ManagedAccount {
  if (kept === undefined || !isSameSku(kept.skuName, skuName)) refuse(managedAccountFaults.notProvisioned);
  return kept;
}

export interface ActivationResult extends ActionResult {
  /** The id of the last action of the primary and the account, which the next action must name. */
  readonly txid: string;
}

/** Reads both accounts and locks them until the transaction ends. */
async function lockBoth({ db }: Ctx, { ecpdId, accountName, paccountName, serviceName }: Relation) {
  await lockManaging(db, ecpdId);
  await lockManaged(db, ecpdId, [accountName]);
  await holdAccounts(db, ecpdId, [paccountName]);
  const found = await listCandidates(db, ecpdId, [accountName, paccountName], serviceName);
  const find = (name: string) => found.find((candidate) => candidate.accountName === name);
  return { managed: find(accountName), primary: find(paccountName) };
}

/** Why it cannot be activated now, regardless of the state when it was added. */
function obstacleOf(managed: Candidate | undefined, primary: Candidate | undefined): Reason | undefined {
  if (managed?.manages) return REASONS.managesOthers;
  if (primary?.isManaged) return REASONS.isManaged;
  return managed?.aggregatedBilling && primary?.aggregatedBilling ? undefined : REASONS.notAggregated;
}

/** From now on the account's service is billed with the primary account that added it, and only with that one. */
export async function provisionAccount(
  outer: Ctx,
  tenant: Tenant,
  activation: Activation,
  user: Principal,
): Promise<ActivationResult> {
  requireManaged(user, tenant);
  return inTx(outer, async (ctx) => {
    const { db } = ctx;
    const relation = await requireRelation(ctx, tenant, activation);
    const { managed, primary } = await lockBoth(ctx, relation);
    const kept = requireDescribed(await lockRelation(db, relation), activation);
    const { state, txid: last, addedTxid } = kept;
    const isElsewhere = managed?.activatedWith != null && managed.activatedWith !== relation.paccountName;
    if (state === 'cancelled' && !isElsewhere) refuse(managedAccountFaults.notProvisioned);
    // A client that lost the answer to an activation repeats it with the id of the addition.
    const isRepeat = state === 'provisioned' && isTxid(activation.txid, addedTxid);
    if (!isTxid(activation.txid, last) && !isRepeat) refuse(managedAccountFaults.txidMismatch);
    if (state === 'provisioned') return { ...fail(REASONS.alreadyActivated), txid: last };
    if (isElsewhere) return { ...fail(REASONS.activatedByOther), txid: last };
    const obstacle = obstacleOf(managed, primary);
    if (obstacle !== undefined) return { ...fail(obstacle), txid: last };
    return { ...SUCCESS, txid: await activate(ctx, relation, kept.skuName) };
  });
}

/** If several primaries have added the account, the first activation wins and ends the other additions. */
async function activate(ctx: Ctx, relation: Relation, skuName: string): Promise<string> {
  const { db } = ctx;
  const { ecpdId, accountName, paccountName, serviceName } = relation;
  const [txid, at] = [ctx.newId(), ctx.now()];
  const ended = await endOtherAdditions(db, relation, at);
  await provisionManagedAccount(db, relation, txid, at);
  await setPeriods(db, ecpdId, [accountName], at);
  await writeAudit(ctx, {
    action: 'provisionManagedAccount',
    ecpdId,
    accountName,
    after: { paccountName, serviceName, type: skuName, txid, ...(ended.length > 0 && { ended }) },
  });
  return txid;
}
