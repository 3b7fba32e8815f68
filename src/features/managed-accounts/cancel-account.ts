import { isAccountName } from '../../kernel/account-name.ts';
import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../platform/context/fault.ts';
import {
  cancelManagedAccount,
  lockManaged,
  lockRelation,
  type ManagedAccount,
  setPeriods,
} from '../accounts/index.ts';
import { isHomeAccount } from '../sessions/index.ts';
import { managedAccountFaults } from './errors.ts';
import { SUCCESS } from './managed-account.ts';
import {
  type Activation,
  type ActivationResult,
  isTxid,
  requireDescribed,
  requireRelation,
} from './provision-account.ts';
import { requirePrimary } from './require-credentials.ts';

interface Canceller {
  readonly user: Principal;
  /** The error for a user without access to the account. */
  readonly denied: FaultKind;
}

/** Which side the session acts for. A user with the account as one of several acts for neither. */
async function requireEither(
  ctx: Ctx,
  user: Principal,
  { ecpdId, accountName }: Tenant,
  { paccountName }: Activation,
): Promise<'managed' | 'primary'> {
  if (isHomeAccount(user, { ecpdId, accountName })) return 'managed';
  if (!isAccountName(paccountName) || user.accounts.get(paccountName) !== ecpdId)
    refuse(managedAccountFaults.noAccess);
  await requirePrimary(ctx, user, { ecpdId, accountName: paccountName });
  return 'primary';
}

/**
 * The primary may cancel only an addition the account has not yet activated. Otherwise, a user with access to the
 * primary alone gets the error for an account without access.
 */
function requireTakenBack(
  kept: ManagedAccount | undefined,
  { accountName }: Tenant,
  { user, denied }: Canceller,
): void {
  if (kept !== undefined && kept.state !== 'provisioned') return;
  refuse(user.accounts.has(accountName) ? managedAccountFaults.noAccess : denied);
}

/** The account is billed on its own again, and any primary account may add it. `tenant` is the managed account. */
export async function cancelAccount(
  outer: Ctx,
  tenant: Tenant,
  activation: Activation,
  by: Canceller,
): Promise<ActivationResult> {
  const whose = await requireEither(outer, by.user, tenant, activation);
  return inTx(outer, async (ctx) => {
    const { db } = ctx;
    const { ecpdId, accountName } = tenant;
    const relation = await requireRelation(ctx, tenant, activation);
    await lockManaged(db, ecpdId, [accountName]);
    const found = await lockRelation(db, relation);
    if (whose === 'primary') requireTakenBack(found, tenant, by);
    const { state, txid: last, skuName } = requireDescribed(found, activation);
    if (state === 'cancelled') refuse(managedAccountFaults.notProvisioned);
    if (!isTxid(activation.txid, last)) refuse(managedAccountFaults.txidMismatch);

    const [txid, at] = [ctx.newId(), ctx.now()];
    await cancelManagedAccount(db, relation, txid, at);
    await setPeriods(db, ecpdId, [accountName], at);
    const { paccountName, serviceName } = relation;
    await writeAudit(ctx, {
      action: 'cancelManagedAccount',
      ecpdId,
      accountName,
      after: { paccountName, serviceName, type: skuName, txid },
    });
    return { ...SUCCESS, txid };
  });
}
