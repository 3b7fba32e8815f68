import type { Ctx } from '../../platform/context/context.ts';
import { recordFirings } from '../firings/index.ts';
import { listTriggersById, type PricePlanFiring, parseTrigger } from '../price-plan-triggers/index.ts';
import { type ActionPolicy, type Chain, planActions, startActions } from '../trigger-actions/index.ts';
import { notifyFirings } from '../trigger-notifications/index.ts';
import { type Candidate, firstOfEach } from './candidate.ts';

type Fired = Omit<PricePlanFiring, 'firingId'>;

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Oldest trigger first, then lowest level first, then in the order of subjects. */
const inOrder = (a: Fired, b: Fired) =>
  a.trigger.createdAt.getTime() - b.trigger.createdAt.getTime() ||
  byText(a.triggerId, b.triggerId) ||
  a.level - b.level ||
  byText(a.levelKind, b.levelKind) ||
  byText(a.accountName, b.accountName) ||
  byText(a.subject, b.subject) ||
  a.cycle.from.getTime() - b.cycle.from.getTime();

/** Records the candidates and returns those that fired for the first time, in the order of notification and action. */
async function fireCandidates(
  ctx: Ctx,
  ecpdId: string,
  candidates: readonly Candidate[],
): Promise<readonly PricePlanFiring[]> {
  const triggerIds = [...new Set(candidates.map(({ triggerId }) => triggerId))];
  const stored = await listTriggersById(ctx.db, ecpdId, triggerIds);
  const triggers = new Map(stored.map((trigger) => [trigger.triggerId, parseTrigger(trigger)]));
  const firedAt = ctx.now();
  const firings = firstOfEach(candidates).flatMap(({ scope, cause, ...candidate }): Fired[] => {
    const trigger = triggers.get(candidate.triggerId);
    if (trigger === undefined) return [];
    return [
      {
        ...candidate,
        ...(cause !== undefined && { cause }),
        kind: 'pricePlan',
        lineOf: scope === 'device' ? candidate.accountName : undefined,
        ruleVersion: trigger.version,
        firedAt,
        trigger,
      },
    ];
  });
  const named = firings.sort(inOrder).map((firing) => ({ ...firing, firingId: ctx.newId() }));
  return recordFirings(ctx, ecpdId, named);
}

/** Notifies and acts on firings, in the transaction that records them. `chain` is set if usage was moved, not received. */
export type ApplyFirings = (
  ctx: Ctx,
  ecpdId: string,
  firings: readonly PricePlanFiring[],
  chain?: Chain,
) => Promise<void>;

/** Actions are planned first, so that notifications can say what will happen, and started last. */
export const applyFirings =
  (policy: ActionPolicy): ApplyFirings =>
  async (ctx, ecpdId, firings, chain) => {
    const planned = await planActions(ctx, ecpdId, firings, { devicesMax: policy.devicesMax, chain });
    await notifyFirings(ctx, ecpdId, firings, planned);
    await startActions(ctx, ecpdId, planned, { ...policy, chain });
  };

/** Fires the levels that were reached, in the transaction that counted the usage or closed a cycle. Returns how many fired. */
export async function fireTriggers(
  ctx: Ctx,
  ecpdId: string,
  candidates: readonly Candidate[],
  apply: ApplyFirings,
  findChain?: () => Promise<Chain | undefined>,
): Promise<number> {
  const firings = candidates.length === 0 ? [] : await fireCandidates(ctx, ecpdId, candidates);
  if (firings.length > 0) await apply(ctx, ecpdId, firings, await findChain?.());
  return firings.length;
}
