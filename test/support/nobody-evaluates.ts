import type { UsageEvaluator } from '../../src/features/usage/index.ts';

/** For tests of counters, without evaluation of triggers. */
export const nobodyEvaluates: UsageEvaluator = {
  cyclesOf: async () => [],
  evaluate: async () => {},
  watchServices: async () => {},
  evaluateMove: async () => {},
};
