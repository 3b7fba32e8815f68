import { sql } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
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
  const rounds: { plain: number; watched: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const plainFirst = round % 2 === 0 ? await rate(`without ${round}`) : undefined;
    await startOver();
    await importTriggers(db, url, TRIGGERS);
    const watched = await rate(`with ${round}`);
    await removeTriggers(db);
    const plain = plainFirst ?? (await rate(`without ${round}`));
    // The first one warms up.
    if (round > 0) rounds.push({ plain, watched });
  }
  await stop();
  return [
    beside({
      what: `Usage records taken per second with ${show(TRIGGERS)} price plan triggers, ${show(RECORDS)} over ${show(DEVICES)} devices`,
      ours: rounds.map(({ watched }) => watched),
      against: rounds.map(({ plain }) => plain),
      is: 'without triggers',
      target: { atLeast: 0.4 },
    }),
  ];
}
