import { writeAudit } from '../../platform/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { cancelManagedAccount } from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';
import { type Activation, isTxid, lockRelation } from './lock-relation.ts';
import { SUCCESS } from './managed-account.ts';
import type { ActivationResult } from './provision-account.ts';
import { requireManaged } from './require-credentials.ts';

/** From now on the account is billed by itself again, and may be added again by any primary account. */
export async function cancelAccount(
  outer: Ctx,
  tenant: Tenant,
  activation: Activation,
  user: Principal,
): Promise<ActivationResult> {
  requireManaged(user, tenant);
  return inTx(outer, async (ctx) => {
    const { paccountName, serviceName, skuName } = activation;
    const relation = await lockRelation(ctx, tenant, activation);
    if (relation.state !== 'provisioned') refuse(managedAccountFaults.notProvisioned);
    if (!isTxid(activation.txid, relation.txid)) refuse(managedAccountFaults.txidMismatch);

    const txid = ctx.newId();
    await cancelManagedAccount(ctx.db, tenant, { serviceName, txid }, ctx.now());
    await writeAudit(ctx, {
      action: 'cancelManagedAccount',
      ...tenant,
      after: { paccountName, serviceName, type: skuName, txid },
    });
    return { ...SUCCESS, txid };
  });
}
