import type { ActionPolicy } from '../../features/trigger-actions/index.ts';
import {
  applyFirings,
  cyclesOf,
  evaluateMovedUsage,
  evaluateUsage,
} from '../../features/trigger-evaluation/index.ts';
import { closeCyclesJob, refreshLevelsJob, scheduleOverdue } from '../../features/trigger-evaluation/jobs.ts';
import type { UsageEvaluator } from '../../features/usage/index.ts';
import { fireUsageTriggers } from '../../features/usage-triggers/index.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

/**
 * Evaluates usage in the transaction that counts it: price plan triggers the bytes of lines, accounts and
 * pools, usage triggers the uses of services. Jobs evaluate the other conditions when a cycle closes.
 */
export function composeTriggers(metrics: Metrics, actions: ActionPolicy) {
  const countFired = metrics.addCounter({
    name: 'linekeeper_firings_total',
    help: 'Firings of triggers by kind, since this process started; those that were undone and done again count twice',
    label: 'kind',
    values: ['usage', 'pricePlan'],
  });
  const apply = applyFirings(actions);
  const evaluator: UsageEvaluator = {
    cyclesOf,
    evaluate: async (...usage) => countFired('pricePlan', await evaluateUsage(...usage, apply)),
    evaluateMove: async (...moved) => countFired('pricePlan', await evaluateMovedUsage(...moved, apply)),
    watchServices: fireUsageTriggers((count) => countFired('usage', count)),
  };
  return { evaluator, jobs: [closeCyclesJob(apply), scheduleOverdue, refreshLevelsJob] };
}

export type Triggers = ReturnType<typeof composeTriggers>;
