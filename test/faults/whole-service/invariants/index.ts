import assert from 'node:assert/strict';
import { assertBillsExact, assertFeedsKnown } from './bills-exact.ts';
import { assertCallbacksInOrder, assertTenantsApart } from './callbacks-in-order.ts';
import { assertAlertsOnce, assertFiredOnce } from './fired-once.ts';
import { assertNothingBeside, assertRequestsKept, assertStatesKept, assertWritten } from './nothing-lost.ts';
import type { Outcome } from './outcome.ts';

export { type Outcome, readOutcome } from './outcome.ts';

async function assertNoJobGivenUp({ scene: { client } }: Outcome): Promise<void> {
  const failed = await client.operator({ method: 'GET', path: '/operator/v1/jobs?state=failed' });
  assert.deepEqual(failed.json, []);
}

/** Bills are last, because their check requests new bills. */
const INVARIANTS: Readonly<Record<string, (outcome: Outcome) => Promise<void> | void>> = {
  'no job is given up': assertNoJobGivenUp,
  'no callback early, none beyond four': assertCallbacksInOrder,
  'no tenant sees another': assertTenantsApart,
  'nothing is there twice': assertNothingBeside,
  'no request that was taken is lost': assertRequestsKept,
  'devices are as they were asked to be': assertStatesKept,
  'records are as they were written last': assertWritten,
  'every firing once': assertFiredOnce,
  'every smart alert once': assertAlertsOnce,
  'no record that was taken is lost': assertFeedsKnown,
  'ledger = counters = bill': assertBillsExact,
};

/** Returns all broken invariants, not only the first: together they say most about the cause. */
export async function findBroken(outcome: Outcome): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, holds] of Object.entries(INVARIANTS))
    try {
      await holds(outcome);
    } catch (error) {
      broken.push(`${name}: ${(error as Error).message}`);
    }
  return broken;
}
