import type { Ctx } from '../../platform/context/context.ts';
import { areActionsPaused } from '../firings/index.ts';
import {
  carrierCodesOf,
  listGroupMembers,
  listPlansByCarrierCode,
  type PoolMoves,
  type PricePlanFiring,
} from '../price-plan-triggers/index.ts';
import { type Act, approvableTo, type NewAction, SKIPPED } from './action.ts';
import { type Chain, movedInChain } from './chain.ts';
import { decideActions, poolMovesOf } from './decide-actions.ts';
import { resolvePool } from './resolve-pool.ts';
import { listActiveLines } from './sql-lines.ts';

/** The part of a firing that affects one account. */
interface Share {
  readonly firing: PricePlanFiring;
  readonly accountName: string;
  readonly act: Act;
  /** The firing's own line; undefined for all lines in `deviceIds`. */
  readonly deviceId: string | undefined;
  readonly deviceIds: readonly string[];
}

/** Combines firings of a trigger that do the same to single lines of an account. Firings for whole plans stay separate. */
function toActions(
  ctx: Ctx,
  shares: readonly Share[],
  idleBecause: (share: Share) => string | undefined,
  { devicesMax, chain }: { readonly devicesMax: number; readonly chain: Chain | undefined },
): readonly NewAction[] {
  const touched = new Map<string, number>();
  for (const { firing, deviceIds } of shares)
    touched.set(firing.firingId, (touched.get(firing.firingId) ?? 0) + deviceIds.length);
  const together = Map.groupBy(shares, (share) => {
    const { firing, accountName, act, deviceId } = share;
    const own = deviceId === undefined ? firing.firingId : '';
    return JSON.stringify([firing.triggerId, accountName, act, idleBecause(share) ?? '', own]);
  });
  return [...together.values()].map((same): NewAction => {
    const { firing, accountName, act } = same[0]!;
    const deviceIds = [...new Set(same.flatMap((share) => share.deviceIds))];
    const idle = idleBecause(same[0]!) ?? (deviceIds.length === 0 ? SKIPPED.noLine : undefined);
    const count = touched.get(firing.firingId)!;
    const isTooWide = count > devicesMax;
    return {
      actionId: ctx.newId(),
      triggerId: firing.triggerId,
      accountName,
      act,
      deviceIds,
      state: idle !== undefined ? 'skipped' : isTooWide ? 'awaitingApproval' : 'waiting',
      reason: idle ?? (isTooWide ? `It would affect ${count} devices, more than ${devicesMax}` : undefined),
      approvableTo: approvableTo(firing),
      chainId: chain?.chainId ?? null,
      wantedBy: same.map((share) => ({ firingId: share.firing.firingId, deviceId: share.deviceId ?? null })),
    };
  });
}

/** Represents the moves of a pool when none is made, so that the firing can still say why. */
function firstMove({ plans: [first], effective }: PoolMoves): Act {
  const planCodes = first === undefined ? [] : [first.fromCarrierCode];
  return { kind: 'changePlan', params: { planCodes, toPlan: first?.toCarrierCode ?? '', effective } };
}

/** Finds the lines that each firing affects. Skipped firings need no lines, and finding lines is the expensive part. */
async function sharesOf(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly PricePlanFiring[],
  isIdle: (firing: PricePlanFiring) => boolean,
  moved: ReadonlySet<string>,
): Promise<readonly Share[]> {
  const carrierCodes = new Set(firings.flatMap(({ trigger }) => carrierCodesOf(trigger.rule)));
  const plans = Map.groupBy(
    await listPlansByCarrierCode(ctx.db, [...carrierCodes]),
    ({ carrierCode }) => carrierCode,
  );
  const plansOf = (carrierCode: string) => (plans.get(carrierCode) ?? []).map(({ code }) => code);
  const decided = firings.flatMap((firing) =>
    decideActions(firing, { plansOf, planOf: () => firing.planCode }).map((decision) => ({
      firing,
      ...decision,
    })),
  );
  // Entries keep their index. Those for a single line name no plan, and so get no lines.
  const asked = decided.map(({ firing, deviceId, accountName, act }) => ({
    accountName,
    planCodes: deviceId === undefined && !isIdle(firing) ? act.params.planCodes : [],
  }));
  const isWide = asked.some(({ planCodes }) => planCodes.length > 0);
  const lines = new Map(
    (isWide ? await listActiveLines(ctx.db, ecpdId, asked) : []).map(({ nth, deviceIds }) => [
      nth,
      deviceIds,
    ]),
  );
  const shares: Share[] = decided.map((decision, nth) => ({
    ...decision,
    deviceIds: decision.deviceId === undefined ? (lines.get(nth) ?? []) : [decision.deviceId],
  }));
  for (const firing of firings) {
    const { rule } = firing.trigger;
    const moving = rule.kind === 'groupSharePool' ? poolMovesOf(rule, firing) : undefined;
    if (rule.kind !== 'groupSharePool' || moving === undefined) continue;
    const [group] = isIdle(firing) ? [] : await listGroupMembers(ctx.db, ecpdId, [rule.ratePlanGroupId]);
    const moves = group ? await resolvePool(ctx, ecpdId, firing, moving, { ...group, moved }) : [];
    const noMove = { accountName: firing.accountName, act: firstMove(moving.moves), deviceIds: [] };
    const made = moves.length === 0 ? [noMove] : moves;
    shares.push(...made.map((move) => ({ firing, deviceId: undefined, ...move })));
  }
  // Pools were added last: restore the order of the firings, in which actions are carried out.
  const places = new Map(firings.map(({ firingId }, n) => [firingId, n]));
  return shares.toSorted((a, b) => places.get(a.firing.firingId)! - places.get(b.firing.firingId)!);
}

/** Decides what firings do before anyone is notified, so that notifications say what will happen. It writes and locks nothing. */
export async function planActions(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly PricePlanFiring[],
  { devicesMax, chain }: { readonly devicesMax: number; readonly chain: Chain | undefined },
): Promise<readonly NewAction[]> {
  const acting = firings.filter(({ trigger }) => trigger.rule.action.type !== 'notify');
  if (acting.length === 0) return [];
  const isPaused = await areActionsPaused(ctx);
  const moved = await movedInChain(ctx, ecpdId, chain?.chainId ?? null);
  const idleBecause = ({ late }: PricePlanFiring) =>
    late ? SKIPPED.late : isPaused ? SKIPPED.paused : undefined;
  const shares = await sharesOf(ctx, ecpdId, acting, (firing) => idleBecause(firing) !== undefined, moved);
  const undoneBecause = ({ firing, act, deviceId }: Share) => {
    const isMoved = act.kind === 'changePlan' && deviceId !== undefined && moved.has(deviceId);
    return idleBecause(firing) ?? (isMoved ? SKIPPED.moved : undefined);
  };
  return toActions(ctx, shares, undoneBecause, { devicesMax, chain });
}
