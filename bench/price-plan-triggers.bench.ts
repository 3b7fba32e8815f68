import { sql } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { importTriggers, removeTriggers } from './support/price-plan-triggers.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';
import { feedRate } from './support/usage-feed.ts';

const RECORDS = Number(process.env['BENCH_USAGE_RECORDS'] ?? 500_000);
const ROUNDS = roundsOr(3);
const DEVICES = 100_000;
const TRIGGERS = 10_000;

export async function pricePlanTriggers(): Promise<Finding[]> {
  const { db, url, startOver, stop } = await startFeedScene(DEVICES);
  const at = new Date(Date.now() - 60_000).toISOString();
  const rate = async (run: string) => {
    await startOver();
    const perSecond = await feedRate(url, { records: RECORDS, devices: DEVICES, run, at });
    const { fired } = await db.one<{ fired: number }>(sql`select count(*)::int as fired from firing`);
    console.error(`  ${run}: ${show(perSecond)}/s, ${show(fired)} fired`);
    return perSecond;
  };
  const turns = await inTurns(
    ROUNDS,
    async (round) => {
      await startOver();
      await importTriggers(db, url, TRIGGERS);
      const watched = await rate(`with ${round}`);
      await removeTriggers(db);
      return watched;
    },
    (round) => rate(`without ${round}`),
  );
  await stop();
  return [
    beside({
      what: `Usage records taken per second with ${show(TRIGGERS)} price plan triggers, ${show(RECORDS)} over ${show(DEVICES)} devices`,
      ...turns,
      is: 'without triggers',
      target: { atLeast: 0.8 },
    }),
  ];
}
