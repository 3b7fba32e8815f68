import type { Database } from '../src/platform/db/db.ts';
import { sql, trusted } from '../src/platform/db/sql.ts';
import { startFeedScene } from './support/feed-scene.ts';
import { inTurns } from './support/in-turns.ts';
import { importSuspending } from './support/price-plan-triggers.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';
import { feedRate } from './support/usage-feed.ts';

const DEVICES = Number(process.env['BENCH_CROSSING_DEVICES'] ?? 100_000);
const ROUNDS = roundsOr(3);
/** The size of a batch of the feed. */
const STEP = 5_000;

/** The tables written when lines cross a threshold: the reason, the notifications and the actions. */
const WRITTEN = [
  'firing',
  'callback_message',
  'callback_pending',
  'trigger_action',
  'firing_action',
  'carrier_request',
  'carrier_request_device',
];

/** Keeps the rows that crossing lines wrote, and creates the same tables with the same indexes, empty. */
async function keepWritten(db: Database): Promise<void> {
  await db.exec(sql`create schema bare`);
  for (const name of WRITTEN) {
    const table = trusted(name);
    const rows = trusted(`${name}_rows`);
    await db.exec(sql`create table bare.${table} (like public.${table} including all)`);
    await db.exec(
      sql`create table bare.${rows} as select row_number() over () as nth, t as kept from public.${table} t`,
    );
    await db.exec(sql`create index on bare.${rows} (nth)`);
  }
}

/** Inserts the same rows in transactions as large as the feed's. Returns the seconds. */
async function insertBare(db: Database): Promise<number> {
  for (const name of WRITTEN) await db.exec(sql`truncate bare.${trusted(name)}`);
  await db.exec(sql`checkpoint`);
  const before = performance.now();
  for (let from = 0, found = -1; found !== 0; from += STEP)
    found = await db.tx(async (tx) => {
      let inserted = 0;
      for (const name of WRITTEN)
        inserted += await tx.exec(sql`
          insert into bare.${trusted(name)} ${name === 'trigger_action' ? sql`overriding system value` : sql``}
          select (kept).* from bare.${trusted(`${name}_rows`)} where nth > ${from} and nth <= ${from + STEP}`);
      return inserted;
    });
  return (performance.now() - before) / 1_000;
}

export async function crossing(): Promise<Finding[]> {
  const { db, url, startOver, stop } = await startFeedScene(DEVICES);
  // Each account has a listener: a message without one is stored as failed and never waits for delivery.
  await db.exec(sql`
    insert into callback_listener (ecpd_id, account_name, service_name, url, secret_sealed, created_at, updated_at)
    select ecpd_id, account_name, 'AlertService', 'http://127.0.0.1:9000/', 'never opened', '2026-01-01Z', '2026-01-01Z' from account`);
  await importSuspending(db, url);
  const at = new Date(Date.now() - 60_000).toISOString();
  const cross = async (round: number) => {
    await startOver();
    const perSecond = await feedRate(url, {
      records: DEVICES,
      devices: DEVICES,
      run: `crossing ${round}`,
      at,
    });
    const { fired } = await db.one<{ fired: number }>(sql`select count(*)::int as fired from firing`);
    // A few records are smaller than the smallest threshold.
    if (fired < DEVICES * 0.99) throw new Error(`${fired} of ${DEVICES} lines fired`);
    return DEVICES / perSecond;
  };
  const turns = await inTurns(ROUNDS, cross, async (round) => {
    if (round === 0) await keepWritten(db);
    return insertBare(db);
  });
  await stop();
  return [
    beside({
      what: `Seconds until ${show(DEVICES)} lines that cross a threshold at once have fired, are told of, and their suspensions are asked for, with the counting`,
      ...turns,
      is: 'bare inserts of the rows that they write',
      target: { atMost: 2 },
    }),
  ];
}
