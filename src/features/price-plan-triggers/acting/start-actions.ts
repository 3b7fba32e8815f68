import type { Ctx } from '../../../platform/context.ts';
import { areActionsPaused } from '../../firings/index.ts';
import type { PricePlanFiring } from '../evaluation/fire.ts';
import { listGroupMembers, listPlansByCarrierCode } from '../levels/sql-surroundings.ts';
import type { Rule } from '../rule.ts';
import { type Act, type ActionPolicy, approvableTo, type NewAction, SKIPPED } from './action.ts';
import { type Codes, decideActions, poolMovesOf } from './decide-actions.ts';
import { lockLanes, startNext } from './lane.ts';
import { resolvePool } from './resolve-pool.ts';
import { insertActions } from './sql-action.ts';
import { listActiveLines, listPlansOfLines } from './sql-lines.ts';

function carrierCodesOf(rule: Rule): readonly string[] {
  if (rule.kind === 'payAsYouGo') return [rule.carrierServicePlanCode];
  if (rule.kind === 'groupSharePool' || rule.action.type === 'notify') return [];
  return rule.action.type === 'changePlan'
    ? rule.action.sharePlans.map(({ fromCarrierCode }) => fromCarrierCode)
    : rule.action.thresholds.map(({ carrierCode }) => carrierCode);
}

async function readCodes({ db }: Ctx, ecpdId: string, firings: readonly PricePlanFiring[]): Promise<Codes> {
  const rules = new Set(firings.map(({ trigger }) => trigger.rule));
  const carrierCodes = new Set([...rules].flatMap(carrierCodesOf));
  const plans = Map.groupBy(await listPlansByCarrierCode(db, [...carrierCodes]), (plan) => plan.carrierCode);
  const lines = firings.filter(({ trigger }) => trigger.rule.kind === 'groupShareIndividual');
  const known =
    lines.length === 0
      ? []
      : await listPlansOfLines(
          db,
          ecpdId,
          lines.map(({ subject }) => subject),
        );
  const planOf = new Map(known.map(({ deviceId, planCode }) => [deviceId, planCode]));
  return {
    plansOf: (carrierCode) => (plans.get(carrierCode) ?? []).map(({ code }) => code),
    planOf: (deviceId) => planOf.get(deviceId),
  };
}

/** What one firing does in one account. */
interface Share {
  readonly firing: PricePlanFiring;
  readonly accountName: string;
  readonly act: Act;
  /** The firing's own line; without one all that are listed. */
  readonly deviceId: string | undefined;
  readonly deviceIds: readonly string[];
}

/** Firings that do nothing to nobody are not asked for lines: that is the costly part. */
async function sharesOf(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly PricePlanFiring[],
  isIdle: (firing: PricePlanFiring) => boolean,
): Promise<readonly Share[]> {
  const codes = await readCodes(ctx, ecpdId, firings);
  const decided = firings.flatMap((firing) =>
    decideActions(firing, codes).map((decision) => ({ firing, ...decision })),
  );
  const wide = decided.filter(({ firing, deviceId }) => deviceId === undefined && !isIdle(firing));
  const asked = wide.map(({ accountName, act }) => ({ accountName, planCodes: act.params.planCodes }));
  const lines = new Map(
    (asked.length === 0 ? [] : await listActiveLines(ctx.db, ecpdId, asked)).map(({ nth, deviceIds }) => [
      wide[nth],
      deviceIds,
    ]),
  );
  const shares: Share[] = decided.map((decision) => ({
    ...decision,
    deviceIds: decision.deviceId === undefined ? (lines.get(decision) ?? []) : [decision.deviceId],
  }));
  for (const firing of firings) {
    const { rule } = firing.trigger;
    const moving = rule.kind === 'groupSharePool' ? poolMovesOf(rule, firing) : undefined;
    if (rule.kind !== 'groupSharePool' || moving === undefined || isIdle(firing)) continue;
    const [group] = await listGroupMembers(ctx.db, ecpdId, [rule.ratePlanGroupId]);
    const moves = group === undefined ? [] : await resolvePool(ctx, ecpdId, firing, moving, group);
    shares.push(...moves.map((move) => ({ firing, deviceId: undefined, ...move })));
  }
  // Pools come last above: the order in which things fired is the order in which they are done.
  const places = new Map(firings.map((firing, n) => [firing, n]));
  return shares.toSorted((a, b) => places.get(a.firing)! - places.get(b.firing)!);
}

/** Firings of one trigger that ask the same of lines of one account become one action; wide ones stay by themselves. */
function toActions(
  ctx: Ctx,
  shares: readonly Share[],
  idleBecause: (firing: PricePlanFiring) => string | undefined,
  devicesMax: number,
): readonly NewAction[] {
  const touched = new Map<string, number>();
  for (const { firing, deviceIds } of shares)
    touched.set(firing.firingId, (touched.get(firing.firingId) ?? 0) + deviceIds.length);
  const together = Map.groupBy(shares, ({ firing, accountName, act, deviceId }) =>
    JSON.stringify([
      firing.triggerId,
      accountName,
      act,
      idleBecause(firing) ?? '',
      deviceId === undefined ? firing.firingId : '',
    ]),
  );
  return [...together.values()].map((same): NewAction => {
    const { firing, accountName, act } = same[0]!;
    const deviceIds = [...new Set(same.flatMap((share) => share.deviceIds))];
    const idle = idleBecause(firing) ?? (deviceIds.length === 0 ? SKIPPED.noLine : undefined);
    const count = touched.get(firing.firingId)!;
    const isTooWide = count > devicesMax;
    return {
      actionId: ctx.newId(),
      triggerId: firing.triggerId,
      accountName,
      act,
      deviceIds,
      state: idle !== undefined ? 'skipped' : isTooWide ? 'awaitingApproval' : 'waiting',
      reason: idle ?? (isTooWide ? `It would touch ${count} devices, more than ${devicesMax}` : undefined),
      approvableTo: approvableTo(firing),
      askedBy: same.map((share) => ({ firingId: share.firing.firingId, deviceId: share.deviceId ?? null })),
    };
  });
}

/**
 * Does what triggers say, in the transaction in which they fired and after they were told: actions, like firings, exist
 * exactly when what was counted does. They are carried out after it by requests, of each account one after the other.
 */
export async function startActions(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly PricePlanFiring[],
  { devicesMax, workJob }: ActionPolicy,
): Promise<void> {
  const acting = firings.filter(({ trigger }) => trigger.rule.action.type !== 'notify');
  if (acting.length === 0) return;
  const isPaused = await areActionsPaused(ctx);
  const idleBecause = ({ late }: PricePlanFiring) =>
    late ? SKIPPED.late : isPaused ? SKIPPED.paused : undefined;
  const shares = await sharesOf(ctx, ecpdId, acting, (firing) => idleBecause(firing) !== undefined);
  const actions = toActions(ctx, shares, idleBecause, devicesMax);
  if (actions.length === 0) return;
  const waiting = actions.filter(({ state }) => state === 'waiting');
  const lanes = await lockLanes(ctx, ecpdId, [...new Set(waiting.map(({ accountName }) => accountName))]);
  await insertActions(ctx.db, ecpdId, actions, ctx.now());
  for (const lane of lanes) await startNext(ctx, lane, { workJob });
}
