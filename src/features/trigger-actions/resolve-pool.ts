import { calendarOf } from '../../kernel/calendar.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { tenantOf } from '../../platform/jobs/job.ts';
import { findAccount } from '../accounts/index.ts';
import type { PoolMoves, PricePlanFiring } from '../price-plan-triggers/index.ts';
import {
  type CataloguePlan,
  type GroupMembers,
  listPlansByCarrierCode,
} from '../price-plan-triggers/index.ts';
import type { Act } from './action.ts';
import type { Moving } from './decide-actions.ts';
import { decidePoolMoves } from './decide-pool-moves.ts';
import { findPoolTotals, listUsedLines } from './sql-lines.ts';

/** If a pool has more lines on the plans, only this many are considered. */
const LINES_MAX = 100_000;

interface Move {
  readonly accountName: string;
  readonly act: Act;
  readonly deviceIds: readonly string[];
}

interface Destination {
  readonly toPlan: string;
  readonly allowanceBytes: number;
}

/** The destination for each plan; the first pair for a plan counts. A plan outside the group adds nothing to the pool. */
function destinationsOf(
  { plans }: PoolMoves,
  catalogue: readonly CataloguePlan[],
  group: GroupMembers,
): ReadonlyMap<string, Destination> {
  const destinations = new Map<string, Destination>();
  for (const { fromCarrierCode, toCarrierCode } of plans) {
    const named = catalogue.filter(({ carrierCode }) => carrierCode === toCarrierCode);
    const to = named.find(({ code }) => code === toCarrierCode) ?? named.at(0);
    if (to === undefined) continue;
    const allowanceBytes = group.plans.includes(to.code) ? (to.allowanceBytes ?? 0) : 0;
    for (const { carrierCode, code } of catalogue)
      if (carrierCode === fromCarrierCode && group.plans.includes(code) && !destinations.has(code))
        destinations.set(code, { toPlan: to.code, allowanceBytes });
  }
  return destinations;
}

/** The account's open billing month; for a deleted account, the calendar month. */
export async function findOpenMonth({ db, now }: Ctx, tenant: Tenant) {
  const account = (await findAccount(db, tenant)) ?? { timeZone: 'UTC', billCycleDay: 1, boundaries: null };
  const { cycleAt, daysOf } = calendarOf(account);
  const { fromMs, toMs } = cycleAt('Monthly', now().getTime());
  return { daysOf, from: new Date(fromMs), to: new Date(toMs) };
}

/** A decision at the end of a cycle applies to the cycle that begins. */
const effectiveOf = ({ cycle, firedAt }: PricePlanFiring, { effective }: PoolMoves) =>
  effective === 'BackDate' && cycle.to <= firedAt
    ? { effective, notBefore: cycle.to.toISOString() }
    : { effective };

/** The moves that restore a pool's buffer, by account and pair of plans, each with its lines in the order of moving. */
export async function resolvePool(
  ctx: Ctx,
  ecpdId: string,
  firing: PricePlanFiring,
  { direction, moves }: Moving,
  group: GroupMembers & { readonly moved: ReadonlySet<string> },
): Promise<readonly Move[]> {
  const { db } = ctx;
  const codes = moves.plans.flatMap(({ fromCarrierCode, toCarrierCode }) => [fromCarrierCode, toCarrierCode]);
  const destinations = destinationsOf(moves, await listPlansByCarrierCode(db, [...new Set(codes)]), group);
  if (destinations.size === 0) return [];
  const { cycle, accountName: cycleAccount } = firing;
  const { daysOf, from } = await findOpenMonth(ctx, tenantOf(ecpdId, cycleAccount));
  const span = {
    accountNames: group.accounts,
    planCodes: group.plans,
    cycleAccount,
    ...daysOf({ fromMs: cycle.from.getTime(), toMs: cycle.to.getTime() }),
  };
  const since = (moves.effective === 'BackDate' ? from : ctx.now()).toISOString();
  const totals = await findPoolTotals(db, ecpdId, span);
  const lines = await listUsedLines(db, ecpdId, span, {
    onPlans: [...destinations.keys()],
    isUpward: direction === 'above',
    limit: LINES_MAX,
  });
  const chosen = decidePoolMoves(
    direction,
    { ...totals, bufferPercent: moves.overageBuffer },
    lines
      .filter(({ deviceId }) => !group.moved.has(deviceId))
      .map((line) => ({
        ...line,
        newAllowanceBytes: destinations.get(line.planCode)?.allowanceBytes ?? 0,
      })),
  );
  const together = Map.groupBy(chosen, ({ accountName, planCode }) => `${accountName} ${planCode}`);
  return [...together.values()].map((some): Move => {
    const { accountName, planCode } = some[0]!;
    const { toPlan } = destinations.get(planCode)!;
    const changed = some.map(({ allowanceBytes, newAllowanceBytes }) => newAllowanceBytes - allowanceBytes);
    const bytes = Math.abs(changed.reduce((sum, one) => sum + one, 0));
    const pool = { bytes, since };
    const params = { planCodes: [planCode], toPlan, ...effectiveOf(firing, moves), pool };
    return {
      accountName,
      act: { kind: 'changePlan', params },
      deviceIds: some.map(({ deviceId }) => deviceId),
    };
  });
}
