import { isAccountName } from '../../kernel/account-name.ts';
import { writeAudit } from '../../platform/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { findAccount, provisionManagedAccount } from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';
import { type Activation, isTxid, lockRelation } from './lock-relation.ts';
import { type ActionResult, fail, REASONS, SUCCESS } from './managed-account.ts';
import { requireManaged } from './require-credentials.ts';

export interface ActivationResult extends ActionResult {
  /** Of the last action on the account: what the next one has to name. */
  readonly txid: string;
}

async function isAggregated({ db }: Ctx, { ecpdId }: Tenant, accountName: string): Promise<boolean> {
  if (!isAccountName(accountName)) return false;
  return (await findAccount(db, { ecpdId, accountName }))?.aggregatedBilling ?? false;
}

/** From now on the service of the account is billed with the primary account that added it. */
export async function provisionAccount(
  outer: Ctx,
  tenant: Tenant,
  activation: Activation,
  user: Principal,
): Promise<ActivationResult> {
  requireManaged(user, tenant);
  return inTx(outer, async (ctx) => {
    const { paccountName, serviceName, skuName } = activation;
    const { state, txid: last, addedTxid } = await lockRelation(ctx, tenant, activation);
    const isActivated = state === 'provisioned';
    // The id of the addition is what a client has that repeats an activation whose answer it lost.
    if (!isTxid(activation.txid, last) && !(isActivated && isTxid(activation.txid, addedTxid)))
      refuse(managedAccountFaults.txidMismatch);
    if (isActivated) return { ...fail(REASONS.alreadyActivated), txid: last };
    const aggregated = await Promise.all(
      [tenant.accountName, paccountName].map((name) => isAggregated(ctx, tenant, name)),
    );
    if (aggregated.includes(false)) return { ...fail(REASONS.notAggregated), txid: last };

    const txid = ctx.newId();
    await provisionManagedAccount(ctx.db, tenant, { serviceName, txid }, ctx.now());
    await writeAudit(ctx, {
      action: 'provisionManagedAccount',
      ...tenant,
      after: { paccountName, serviceName, type: skuName, txid },
    });
    return { ...SUCCESS, txid };
  });
}
