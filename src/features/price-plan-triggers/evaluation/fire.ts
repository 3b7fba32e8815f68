import type { Ctx } from '../../../platform/context/context.ts';
import { type Firing, recordFirings } from '../../firings/index.ts';
import type { CountedUsage } from '../../usage/index.ts';
import type { PricePlanTrigger } from '../price-plan-trigger.ts';
import { readNotification } from '../reading/read-notification.ts';
import { readRule } from '../reading/read-rule.ts';
import type { Rule, TriggerNotification } from '../rule.ts';
import { listTriggersById } from '../sql-list.ts';
import type { Candidate } from './candidate.ts';
import { evaluateBatch } from './evaluate-batch.ts';

/** A trigger as it is when it fires. */
export interface ReadTrigger extends PricePlanTrigger {
  readonly rule: Rule;
  readonly notifies: TriggerNotification;
}

export interface PricePlanFiring extends Firing {
  readonly candidate: Candidate;
  readonly trigger: ReadTrigger;
}

async function readTriggers(
  { db }: Ctx,
  ecpdId: string,
  triggerIds: readonly string[],
): Promise<ReadonlyMap<string, ReadTrigger>> {
  const triggers = await listTriggersById(db, ecpdId, triggerIds);
  return new Map(
    triggers.flatMap((trigger) => {
      const rule = readRule(trigger.body.pricePlanTrigger).value;
      const notifies = readNotification(trigger.body.notification).value;
      return rule === undefined || notifies === undefined
        ? []
        : [[trigger.triggerId, { ...trigger, rule, notifies }] as const];
    }),
  );
}

const inOrder = (a: PricePlanFiring, b: PricePlanFiring) =>
  a.trigger.createdAt.getTime() - b.trigger.createdAt.getTime() ||
  (a.triggerId < b.triggerId ? -1 : a.triggerId > b.triggerId ? 1 : a.level - b.level);

/** A line has a counter on each plan, and both may reach the same with one feed: the first of them is what fires. */
function firstOfEach(candidates: readonly Candidate[]): readonly Candidate[] {
  const keys = new Set<string>();
  return candidates.filter(({ triggerId, subject, accountName, levelKind, level, opensAt }) => {
    const key = `${triggerId} ${subject} ${accountName} ${levelKind} ${level} ${opensAt.getTime()}`;
    return !keys.has(key) && keys.add(key);
  });
}

/** What fired for the first time, in the order in which it is told and acted upon: oldest trigger first, lowest level first. */
export async function fireCandidates(
  ctx: Ctx,
  ecpdId: string,
  candidates: readonly Candidate[],
): Promise<readonly PricePlanFiring[]> {
  if (candidates.length === 0) return [];
  const triggers = await readTriggers(ctx, ecpdId, [
    ...new Set(candidates.map(({ triggerId }) => triggerId)),
  ]);
  const firedAt = ctx.now();
  const firings = firstOfEach(candidates).flatMap((candidate): PricePlanFiring[] => {
    const trigger = triggers.get(candidate.triggerId);
    if (trigger === undefined) return [];
    return [
      {
        firingId: ctx.newId(),
        triggerId: candidate.triggerId,
        kind: 'pricePlan',
        accountName: candidate.accountName,
        subject: candidate.subject,
        lineOf: candidate.scope === 'device' ? candidate.accountName : undefined,
        levelKind: candidate.levelKind,
        level: candidate.level,
        cycle: { from: candidate.opensAt, to: candidate.closesAt },
        before: candidate.beforeBytes,
        after: candidate.afterBytes,
        threshold: candidate.thresholdBytes,
        usageRecordId: candidate.recordId,
        ...(candidate.cause !== undefined && { cause: candidate.cause }),
        ruleVersion: trigger.version,
        firedAt,
        late: candidate.late,
        candidate,
        trigger,
      },
    ];
  });
  return recordFirings(ctx, ecpdId, firings.sort(inOrder));
}

/** Looks at a batch of usage in its transaction, and fires what it has reached. */
export const fireBatch = async (
  ctx: Ctx,
  ecpdId: string,
  counted: CountedUsage,
): Promise<readonly PricePlanFiring[]> =>
  fireCandidates(ctx, ecpdId, await evaluateBatch(ctx, ecpdId, counted));
