import type { EndedAttempt } from '../../src/features/callbacks/delivery/ended-attempt.ts';
import { recordAttempts } from '../../src/features/callbacks/delivery/sql-attempts.ts';
import { listDueMessages } from '../../src/features/callbacks/delivery/sql-due.ts';
import { claimLanes, listLanes } from '../../src/features/callbacks/delivery/sql-lane.ts';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { takeUsage } from '../../src/features/usage/index.ts';
import { RepeatingFeeds } from '../../src/features/usage/sql-insert-records.ts';
import { concurrencyLimit } from '../../src/platform/flow-control/limits.ts';
import { nobodyEvaluates } from '../../test/support/nobody-evaluates.ts';
import { openTellingConnection } from '../../test/support/telling-connection.ts';
import { makeCallbacks } from './callback-scene.ts';
import { type BenchProfile, listenersOf } from './cluster-fleet.ts';
import { usageLines } from './cluster-load.ts';
import type { Side } from './cluster-scene.ts';
import { alone, type Finding } from './report.ts';

interface Counted {
  readonly asked: number;
  readonly sent: readonly { readonly text: string; readonly to: string }[];
}

const findingsOf = (what: string, { asked, sent }: Counted): Finding[] => [
  alone(`Statements of ${what} to the coordinator`, [asked]),
  alone(`Messages of the coordinator to workers for it, with begin and commit`, [sent.length]),
  alone(`Workers that took part in it`, [new Set(sent.map(({ to }) => to)).size], { atMost: 1 }),
  alone(
    `Second phases of its commit`,
    [sent.filter(({ text }) => text.startsWith('PREPARE TRANSACTION')).length],
    { atMost: 0 },
  ),
];

const BATCH = { recordsEach: 5_000, devicesEach: 2_500, run: 'counted' };
const CALLBACKS = 500;

/** Counts the statements of one profile's batches: one of usage, and one of callbacks from the claim to the recording. */
export async function countRoundTrips(
  { url, ctx: outer }: Side,
  profile: BenchProfile,
  sinkUrl: string,
): Promise<Finding[]> {
  const { db, countStatements, open, close } = openTellingConnection(url, outer.db);
  await open();
  const ctx = { ...outer, db };
  const lines = usageLines(profile, BATCH, new Date());
  const usage = await countStatements(() =>
    takeUsage(
      ctx,
      (async function* () {
        yield* lines;
      })(),
      {
        keptDays: 400,
        evaluator: nobodyEvaluates,
        share: { limit: concurrencyLimit(1), aheadMs: 0, countGivenUp() {} },
        repeating: new RepeatingFeeds(),
        watch: { records: () => {}, batchSeconds: () => {} },
      },
    ),
  );

  const [listener] = listenersOf(profile, sinkUrl);
  await postCallbacks(outer, profile.ecpdId, makeCallbacks(CALLBACKS, [listener!]));
  const now = new Date();
  const lanes = await listLanes(outer.db, { dueBy: now, limit: 1 });
  const callbacks = await countStatements(async () => {
    const [lane] = await claimLanes(db, profile.ecpdId, lanes, outer.newId());
    const asked = [{ lane: lane!, after: undefined, limit: CALLBACKS }];
    const [due] = await listDueMessages(db, profile.ecpdId, asked, now);
    const ended = due!.messages.map((message): EndedAttempt => {
      const outcome = { status: 200, error: null, latencyMs: 1, answer: '' };
      return { lane: lane!, message, startedAt: now, outcome, nextDueAt: undefined };
    });
    await recordAttempts(db, profile.ecpdId, ended);
  });
  await close();
  return [
    ...findingsOf('a batch of 5,000 records of one profile', usage),
    ...findingsOf(
      'a batch of 500 callbacks of one profile, from claiming their lane to recording them',
      callbacks,
    ),
  ];
}
