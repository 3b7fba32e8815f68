import type { UsageEvaluator } from '../../src/features/usage/index.ts';

/** For tests of what is counted, whoever looks at it. */
export const nobodyEvaluates: UsageEvaluator = {
  cyclesOf: async () => [],
  evaluate: async () => {},
  watchServices: async () => {},
  evaluateMove: async () => {},
};
