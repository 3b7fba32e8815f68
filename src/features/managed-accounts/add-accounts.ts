import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Principal, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import {
  addManagedAccounts,
  type Candidate,
  countManagedAccounts,
  holdAccounts,
  listAdded,
  listCandidates,
  lockManaging,
  MANAGED_MAX,
  type ManagedService,
} from '../accounts/index.ts';
import { managedAccountFaults } from './errors.ts';
import { type ActionResult, fail, parseType, REASONS, type Reason, SUCCESS } from './managed-account.ts';
import { requirePrimary } from './require-credentials.ts';

interface Addition {
  readonly serviceName: ManagedService;
  /** The SKU, in any letter case. */
  readonly type: string;
  readonly names: readonly string[];
}

export interface Added {
  readonly txid: string;
  readonly results: readonly (ActionResult & { readonly accountName: string })[];
}

/** Why an account cannot be added. An addition by another primary is no obstacle. */
function obstacleOf(primary: string, candidate: Candidate | undefined): Reason | undefined {
  if (candidate === undefined) return REASONS.unknown;
  if (candidate.accountName === primary) return REASONS.itself;
  const { activatedWith, manages, aggregatedBilling } = candidate;
  if (activatedWith !== null)
    return activatedWith === primary ? REASONS.alreadyActivated : REASONS.activatedByOther;
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

/** The names among `free` that exceed the limit. An account that is already added needs no more room. */
async function listTooMany(
  { db }: Ctx,
  tenant: Tenant,
  serviceName: ManagedService,
  free: readonly string[],
): Promise<readonly string[]> {
  const added = new Set(await listAdded(db, tenant, serviceName, free));
  const room = Math.max(0, MANAGED_MAX - (await countManagedAccounts(db, tenant, serviceName)));
  return free.filter((name) => !added.has(name)).slice(room);
}

/** The obstacle to each account. Locks the accounts until the transaction ends. */
async function findObstacles(
  ctx: Ctx,
  tenant: Tenant,
  { serviceName, names }: Addition,
): Promise<ReadonlyMap<string, Reason | undefined>> {
  const { ecpdId, accountName: primary } = tenant;
  await lockManaging(ctx.db, ecpdId);
  await holdAccounts(ctx.db, ecpdId, [...names, primary]);
  const found = await listCandidates(ctx.db, ecpdId, [...names, primary], serviceName);
  const byName = new Map(found.map((candidate) => [candidate.accountName, candidate]));
  requireAble(byName.get(primary));
  const obstacles = new Map(names.map((name) => [name, obstacleOf(primary, byName.get(name))]));
  const free = [...obstacles].flatMap(([name, obstacle]) => (obstacle === undefined ? [name] : []));
  for (const name of await listTooMany(ctx, tenant, serviceName, free)) obstacles.set(name, REASONS.tooMany);
  return obstacles;
}

/**
 * Checks each account separately and adds all possible ones under one transaction id. An account that this primary has
 * already added is added again, and its earlier transaction id becomes invalid.
 */
export async function addAccounts(
  outer: Ctx,
  tenant: Tenant,
  addition: Addition,
  { user, prefix }: { readonly user: Principal; readonly prefix: string },
): Promise<Added> {
  await requirePrimary(outer, user, tenant);
  const { serviceName, type } = addition;
  const skuName = parseType(serviceName, type, prefix);
  const names = [...new Set(addition.names)];
  if (skuName === undefined)
    return {
      txid: outer.newId(),
      results: names.map((accountName) => ({ accountName, ...fail(REASONS.invalidType) })),
    };
  return inTx(outer, async (ctx) => {
    const txid = ctx.newId();
    const obstacles = await findObstacles(ctx, tenant, { ...addition, names });
    const added = [...obstacles].flatMap(([name, obstacle]) => (obstacle === undefined ? [name] : []));
    if (added.length > 0) {
      await addManagedAccounts(ctx.db, tenant, { names: added, serviceName, skuName, txid }, ctx.now());
      await writeAudit(ctx, {
        action: 'addManagedAccounts',
        ...tenant,
        after: { serviceName, type: skuName, txid, accounts: added.toSorted() },
      });
    }
    const results = [...obstacles].map(([accountName, obstacle]) => ({
      accountName,
      ...(obstacle === undefined ? SUCCESS : fail(obstacle)),
    }));
    return { txid, results };
  });
}
