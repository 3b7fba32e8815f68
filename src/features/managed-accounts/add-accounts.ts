import { writeAudit } from '../../platform/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import {
  addManagedAccounts,
  type Candidate,
  countManagedAccounts,
  lockCandidates,
  MANAGED_MAX,
  type ManagedService,
} from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';
import { type ActionResult, fail, REASONS, type Reason, SUCCESS } from './managed-account.ts';
import { requirePrimary } from './require-credentials.ts';

export interface Addition {
  readonly serviceName: ManagedService;
  readonly skuName: string;
  readonly names: readonly string[];
}

export interface Added {
  readonly txid: string;
  readonly results: readonly (ActionResult & { readonly accountName: string })[];
}

/** What stands against managing an account. */
function obstacleOf(primary: string, candidate: Candidate | undefined): Reason | undefined {
  if (candidate === undefined) return REASONS.unknown;
  if (candidate.accountName === primary) return REASONS.itself;
  const { state, paccountName, manages, aggregatedBilling } = candidate;
  if (state === 'added') return paccountName === primary ? REASONS.alreadyAdded : REASONS.addedByOther;
  if (state === 'provisioned')
    return paccountName === primary ? REASONS.alreadyActivated : REASONS.activatedByOther;
  if (manages) return REASONS.managesOthers;
  return aggregatedBilling ? undefined : REASONS.notAggregated;
}

function requireAble(primary: Candidate | undefined): void {
  if (!primary?.aggregatedBilling)
    refuse(managedAccountFaults.primaryNotRegistered, { reason: REASONS.notAggregated });
  if (primary.isManaged)
    refuse(managedAccountFaults.primaryNotRegistered, {
      reason: 'an account that is managed cannot manage others',
    });
}

/** Each account is judged by itself; all that can be added are, with one transaction id. */
export async function addAccounts(
  outer: Ctx,
  tenant: Tenant,
  { serviceName, skuName, names }: Addition,
  user: Principal,
): Promise<Added> {
  await requirePrimary(outer, user, tenant);
  const primary = tenant.accountName;
  return inTx(outer, async (ctx) => {
    const { db } = ctx;
    const found = await lockCandidates(db, tenant.ecpdId, [...names, primary], serviceName);
    const byName = new Map(found.map((candidate) => [candidate.accountName, candidate]));
    requireAble(byName.get(primary));
    const obstacles = new Map(
      [...new Set(names)].map((name) => [name, obstacleOf(primary, byName.get(name))]),
    );
    const free = [...obstacles].flatMap(([name, obstacle]) => (obstacle === undefined ? [name] : []));
    const room = Math.max(0, MANAGED_MAX - (await countManagedAccounts(db, tenant, serviceName)));
    for (const name of free.slice(room)) obstacles.set(name, REASONS.tooMany);

    const txid = ctx.newId();
    const fitting = free.slice(0, room);
    const added = await addManagedAccounts(
      db,
      tenant,
      { names: fitting, serviceName, skuName, txid },
      ctx.now(),
    );
    if (added.length > 0)
      await writeAudit(ctx, {
        action: 'addManagedAccounts',
        ...tenant,
        after: { serviceName, type: skuName, txid, accounts: added.toSorted() },
      });
    const isAdded = new Set(added);
    const results = [...obstacles].map(([accountName, obstacle]) => ({
      accountName,
      ...(isAdded.has(accountName) ? SUCCESS : fail(obstacle ?? REASONS.alreadyAdded)),
    }));
    return { txid, results };
  });
}
