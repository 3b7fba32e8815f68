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

/** What the caller says of the relation that is activated or cancelled. */
export interface Activation {
  readonly paccountName: string;
  readonly serviceName: ManagedService;
  readonly skuName: string;
  readonly txid: string;
}

/** Ids are compared as ids: their letters may come in any case. */
export const isTxid = (given: string, expected: string | null): boolean => given.toLowerCase() === expected;

/** Whose relation it is. A primary of another customer is as unknown as one that is none. */
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

/** What is kept of it has to be what the caller describes. */
export function requireDescribed(kept: ManagedAccount | undefined, { skuName }: Activation): ManagedAccount {
  if (kept === undefined || !isSameSku(kept.skuName, skuName)) refuse(managedAccountFaults.notProvisioned);
  return kept;
}

export interface ActivationResult extends ActionResult {
  /** Of the last action of the primary and the account: what the next one has to name. */
  readonly txid: string;
}

/** Both accounts as they are now, which nobody changes until the transaction ends. */
async function lockBoth({ db }: Ctx, { ecpdId, accountName, paccountName, serviceName }: Relation) {
  await lockManaging(db, ecpdId);
  await lockManaged(db, ecpdId, [accountName]);
  await holdAccounts(db, ecpdId, [paccountName]);
  const found = await listCandidates(db, ecpdId, [accountName, paccountName], serviceName);
  const find = (name: string) => found.find((candidate) => candidate.accountName === name);
  return { managed: find(accountName), primary: find(paccountName) };
}

/** What stands against it now, whatever was so when it was added. */
function obstacleOf(managed: Candidate | undefined, primary: Candidate | undefined): Reason | undefined {
  if (managed?.manages) return REASONS.managesOthers;
  if (primary?.isManaged) return REASONS.isManaged;
  return managed?.aggregatedBilling && primary?.aggregatedBilling ? undefined : REASONS.notAggregated;
}

/** From now on the service of the account is billed with the primary account that added it, and with no other. */
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
    // The id of the addition is what a client has that repeats an activation whose answer it lost.
    const isRepeat = state === 'provisioned' && isTxid(activation.txid, addedTxid);
    if (!isTxid(activation.txid, last) && !isRepeat) refuse(managedAccountFaults.txidMismatch);
    if (state === 'provisioned') return { ...fail(REASONS.alreadyActivated), txid: last };
    if (isElsewhere) return { ...fail(REASONS.activatedByOther), txid: last };
    const obstacle = obstacleOf(managed, primary);
    if (obstacle !== undefined) return { ...fail(obstacle), txid: last };
    return { ...SUCCESS, txid: await activate(ctx, relation, kept.skuName) };
  });
}

/** Of several primaries that have added the account the first wins: what the others have ends with it. */
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
