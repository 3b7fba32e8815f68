import { randomUUID } from 'node:crypto';
import type { DueMessage } from '../src/features/callbacks/delivery/lane.ts';
import { listDueMessages } from '../src/features/callbacks/delivery/sql-due.ts';
import { claimLanes, listLanes, releaseLanes } from '../src/features/callbacks/delivery/sql-lane.ts';
import { postCallbacks } from '../src/features/callbacks/index.ts';
import { run, startBenchPostgres } from './support/bench-postgres.ts';
import {
  type CallbackScene,
  ECPD,
  makeCallbacks,
  makeListeners,
  openScene,
} from './support/callback-scene.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { show } from './support/statistics.ts';

const ROUNDS = roundsOr(5);
const LANES = 10;
const DUE = 20_000;
const ARCHIVED = 1_000_000;
const FUTURE = 100_000;
const BATCH = 500;

/** Delivered messages with their attempts, spread over the last days, and messages whose next attempt is tomorrow. */
async function fill({ db, listeners }: CallbackScene): Promise<void> {
  const services = listeners.map(({ serviceName }) => `'${serviceName}'`).join(',');
  const messages = (count: number, at: string) => `
    insert into callback_message
    select '${ECPD}', uuidv7(${at} - now()), '${listeners[0]!.accountName}', (array[${services}])[1 + n % ${LANES}],
      'old' || n, '{"deviceResponse":{"filler":"' || repeat('x', 960) || '"}}', ${at}
    from generate_series(1, ${count}) n
    returning message_id, service_name, created_at`;
  await run(
    db.url,
    `with m as (${messages(ARCHIVED, `(now() - interval '5 days' + n * interval '0.4 s')`)})
     insert into callback_attempt select '${ECPD}', message_id, 1, 1, created_at, 200, 3, null, '' from m`,
  );
  await run(
    db.url,
    `with m as (${messages(FUTURE, `(now() - interval '1 hour')`)})
     insert into callback_pending
     select '${ECPD}', '${listeners[0]!.accountName}', service_name, now() + interval '1 day', message_id, 1, 1 from m`,
  );
}

/** Finds and leases the lanes and reads all due messages, as a worker does, without sending: messages per second. */
async function claimAll({ ctx, db, listeners }: CallbackScene): Promise<number> {
  await postCallbacks(ctx, ECPD, makeCallbacks(DUE, listeners));
  await run(db.url, 'vacuum analyze callback_pending');
  const now = ctx.now();
  let found = 0;
  const startedAt = performance.now();
  const lanes = await listLanes(db, { dueBy: now, limit: LANES });
  const leased = await claimLanes(db, ECPD, lanes, randomUUID());
  for (const lane of leased) {
    let after: DueMessage | undefined;
    for (;;) {
      const [batch] = await listDueMessages(db, ECPD, [{ lane, after, limit: BATCH }], now);
      found += batch!.messages.length;
      after = batch!.messages.at(-1);
      if (batch!.isWhole) break;
    }
  }
  const rate = found / ((performance.now() - startedAt) / 1_000);
  if (found !== DUE) throw new Error(`claimed ${found}`);
  await releaseLanes(db, ECPD, leased);
  await run(db.url, `delete from callback_pending where due_at <= now()`);
  return rate;
}

/** Compares claims from a table with a long history with claims from an empty one. */
export async function callbackClaims(): Promise<Finding[]> {
  const postgres = await startBenchPostgres();
  const listeners = makeListeners(LANES, (n) => `http://127.0.0.1:9000/${n}`);
  const empty = await openScene(await postgres.createDatabase('claims_empty'), listeners);
  const full = await openScene(await postgres.createDatabase('claims_full'), listeners);
  await fill(full);
  for (const scene of [empty, full]) {
    await run(scene.db.url, 'vacuum analyze');
    await claimAll(scene);
  }
  const rounds: { readonly empty: number; readonly full: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = await claimAll(round % 2 === 0 ? empty : full);
    const second = await claimAll(round % 2 === 0 ? full : empty);
    rounds.push(round % 2 === 0 ? { empty: first, full: second } : { empty: second, full: first });
  }
  await empty.db.close();
  await full.db.close();
  await postgres.stop();
  return [
    beside({
      what: `Callbacks claimed per second beside ${show(ARCHIVED)} archived and ${show(FUTURE)} future ones`,
      ours: rounds.map((round) => round.full),
      against: rounds.map((round) => round.empty),
      is: 'empty tables',
      target: { atLeast: 0.8 },
    }),
  ];
}
