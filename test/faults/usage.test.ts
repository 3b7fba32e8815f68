import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew } from '../support/service-crew.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('usage');
const RECORDS = 40_000;
/** The service's batch size. */
const BATCH = 5_000;
/** Every tenth record is one. */
const UPDATES = RECORDS / 10;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const imeis = Array.from({ length: 500 }, (_, n) => `9911000000${String(n).padStart(5, '0')}`);
await world.import({
  ...SMALL_FLEET,
  devices: imeis.map((imei, n) => ({ accountName: n % 2 ? ACCOUNT : MANAGED, imei })),
  subscriptions: [{ accountName: ACCOUNT, serviceName: 'fota', skuName: 'fota', allowance: UPDATES }],
  managedAccounts: [
    { accountName: MANAGED, paccountName: ACCOUNT, serviceName: 'fota', type: 'fota', state: 'provisioned' },
  ],
  usageTriggers: Array.from({ length: 100 }, (_, n) => ({
    accountName: ACCOUNT,
    triggerName: `${(n + 1) * 10} percent`,
    serviceName: 'fota',
    thresholdValue: String((n + 1) * 10),
  })),
});

const NOW = new Date().toISOString();

const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'api' });

/** The same records in every run; each adds one byte more than the previous one. */
const lines = (run: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const at = new Date(Date.UTC(2026, 0, 1 + (n % 90), n % 24)).toISOString();
    const record = { id: `${run}-${n}`, kind: 'imei', device: imeis[n % imeis.length], at, bytes: n };
    // Now, because triggers fire for the open month only.
    return JSON.stringify(n % 10 === 0 ? { ...record, at: NOW, serviceName: 'fota' } : record);
  });

interface Taken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly line: number }[];
}

function feed(url: string, records: readonly string[]): Promise<Taken | undefined> {
  return new Promise((resolve) => {
    const call = request(`${url}/operator/v1/usage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
      // The service may close a kept connection at the moment it is used again.
      agent: false,
    });
    call.on('error', () => resolve(undefined));
    call.on('response', async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve(response.statusCode === 200 ? JSON.parse(text) : undefined);
    });
    call.end(records.join('\n'));
  });
}

const countTaken = async (run: string): Promise<number> =>
  (
    await world.ctx.db.one<{ count: number }>(
      sql`select count(*)::int as count from usage_record where record_id like ${`${run}-%`}`,
    )
  ).count;

async function assertExact(): Promise<void> {
  for (const accountName of [ACCOUNT, MANAGED]) {
    let page = '';
    let checked = 0;
    do {
      const answer = await world.operator('GET', `/usage/differences?accountName=${accountName}${page}`);
      assert.deepEqual([answer.statusCode, answer.json().differences], [200, []]);
      checked += answer.json().checked;
      page = answer.headers['x-next'] === undefined ? '' : `&page=${answer.headers['x-next']}`;
    } while (page !== '');
    assert.ok(checked > 250);
  }
}

/** Each reached trigger fired once, by the use that reached it, and was reported once. */
async function assertFiredOnce(runs: number): Promise<void> {
  const firings = await world.ctx.db.many<{ level: number; before: number; after: number }>(sql`
    select level::int, counted_before::int as before, counted_after::int as after from firing order by level`);
  const reached = Math.min(runs * 10, 100);
  assert.deepEqual(
    firings,
    Array.from({ length: reached }, (_, n) => {
      const after = ((n + 1) * UPDATES) / 10;
      return { level: (n + 1) * 10, before: after - 1, after };
    }),
  );
  const { count } = await world.ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from callback_message where service_name = 'Location'`,
  );
  assert.equal(count, reached);
}

/** The most records per batch that the database may refuse for unforeseen reasons. */
const POISONED_MAX = 10;
const POISON = 'poison';

/** Positions of poisoned records, at most as many in a batch as the service isolates. */
const drawPoisoned = (): number[] =>
  Array.from({ length: RECORDS / BATCH }, (_, batch) =>
    Array.from(
      { length: moments.between(0, POISONED_MAX) },
      () => batch * BATCH + moments.between(0, BATCH - 1),
    ),
  ).flat();

/** How often all records have been sent, each time with new ids. */
let runs = 0;

describe('usage', () => {
  it('is exact after its feed was killed at any moment and fed again, and every crossing fired once', async (t) => {
    await eachRound(t, ROUNDS, async (t) => {
      const run = `killed${runs++}`;
      const records = lines(run, 0, RECORDS);
      const [first] = await crew.have(1);
      const fed = feed(first!.url, records);
      // At a moment when part of it is committed, but not all.
      const enough = BATCH * moments.between(1, RECORDS / BATCH - 3);
      while ((await countTaken(run)) < enough) await sleep(5);
      await killForGood(world, first!);
      const kept = await countTaken(run);
      if (kept === RECORDS) return TOO_LATE;
      assert.equal(await fed, undefined, 'what is not kept was not answered');
      const [second] = await crew.have(1);
      const again = await feed(second!.url, records);
      t.diagnostic(`killed after ${kept} of ${RECORDS} records`);
      assert.deepEqual(again, { accepted: RECORDS - kept, duplicates: kept, rejected: [], rejectedTotal: 0 });
      assert.ok(kept > 0);
    });
    await assertExact();
    await assertFiredOnce(runs);
  });

  it('is exact after two processes took overlapping files concurrently in opposite orders, and every crossing fired once', async (t) => {
    await eachRound(t, ROUNDS, async () => {
      const run = `both${runs++}`;
      const nodes = await crew.have(2);
      const [from, to] = [moments.between(1, RECORDS / 2 - 1), moments.between(RECORDS / 2 + 1, RECORDS - 1)];
      const [one, two] = [lines(run, 0, to), lines(run, from, RECORDS).reverse()];
      const fed = await Promise.all([feed(nodes[0]!.url, one), feed(nodes[1]!.url, two)]);
      const sum = (of: 'accepted' | 'duplicates') => fed.reduce((total, part) => total + part![of], 0);
      assert.deepEqual([sum('accepted'), sum('duplicates')], [RECORDS, to - from]);
      const { bytes } = await world.ctx.db.one<{ bytes: bigint }>(
        sql`select sum(bytes)::bigint as bytes from usage_record where record_id like ${`${run}-%`}`,
      );
      assert.equal(bytes, (BigInt(RECORDS) * BigInt(RECORDS - 1)) / 2n);
      await assertExact();
      await assertFiredOnce(runs);
    });
  });

  it('is exact after a feed with poisoned records was killed and fed again, and only those are rejected', async (t) => {
    await world.ctx.db.exec(
      sql`alter table usage_record add constraint no_poison check (apn <> ${trusted(`'${POISON}'`)})`,
    );
    await eachRound(t, ROUNDS, async (t) => {
      const run = `poisoned${runs++}`;
      const poisoned = new Set(drawPoisoned());
      const records = lines(run, 0, RECORDS).map((line, n) =>
        poisoned.has(n) ? JSON.stringify({ ...JSON.parse(line), apn: POISON }) : line,
      );
      const [first] = await crew.have(1);
      const fed = feed(first!.url, records);
      const enough = moments.between(1, RECORDS / 2);
      while ((await countTaken(run)) < enough) await sleep(5);
      await killForGood(world, first!);
      const kept = await countTaken(run);
      if (kept === RECORDS - poisoned.size) return TOO_LATE;
      assert.equal(await fed, undefined, 'what is not kept was not answered');
      const [second] = await crew.have(1);
      const again = await feed(second!.url, records);
      t.diagnostic(`killed after ${kept} of ${RECORDS} records, ${poisoned.size} of them poisoned`);
      assert.deepEqual(
        [again?.accepted, again?.duplicates, again?.rejected.map(({ line }) => line - 1)],
        [RECORDS - kept - poisoned.size, kept, [...poisoned].sort((a, b) => a - b)],
      );
    });
    await assertExact();
  });
});
