import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openCrew } from '../support/service-crew.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('readings');
const DEVICES = 150;
/** In each, the condition holds for two minutes, and its rule waits for one. */
const SPELLS = 20;
/** The service's batch size. Later batches are in progress when it is killed. */
const BATCH = 5_000;
const ALERTS = DEVICES * SPELLS;
const PER_DEVICE = SPELLS * 2 + 1;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const imeiOf = (round: number, n: number) =>
  `9913${String(round).padStart(4, '0')}${String(n).padStart(7, '0')}`;
const numbers = Array.from({ length: DEVICES }, (_, n) => n);
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const imeis = rounds.flatMap((round) => numbers.map((n) => imeiOf(round, n)));
await world.import({
  ...SMALL_FLEET,
  devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei })),
  rules: imeis.map((deviceImei) => ({
    accountName: ACCOUNT,
    deviceImei,
    name: 'hot',
    rulesyntax: 'json',
    rulechain: { when: { field: 't', operator: 'gt', value: 30 }, for: 'PT1M' },
  })),
});

const crew = openCrew(world, secretKey, {});

const START_MS = Math.floor(Date.now() / 60_000) * 60_000 - 86_400_000;
const minute = (m: number) => START_MS + m * 60_000;

/** All devices in rotation, so that a batch ends in the middle of each one's sequence; in the end all are hot. */
const lines = (round: number): string[] =>
  Array.from({ length: PER_DEVICE }, (_, i) =>
    numbers.map((n) =>
      JSON.stringify({
        kind: 'imei',
        device: imeiOf(round, n),
        at: new Date(minute(i * 2)).toISOString(),
        values: { t: i % 2 === 0 ? 31 : 20 },
      }),
    ),
  ).flat();

interface Fed {
  readonly accepted: number;
  readonly duplicates: number;
  readonly late: number;
}

/** With a promise, the rest is sent only after it resolves. */
function feed(
  url: string,
  records: readonly string[],
  goOn: Promise<void> = Promise.resolve(),
): Promise<Fed | undefined> {
  return new Promise((resolve) => {
    const call = request(`${url}/operator/v1/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    call.on('error', () => resolve(undefined));
    call.on('response', async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve(response.statusCode === 200 ? JSON.parse(text) : undefined);
    });
    call.write(`${records.slice(0, BATCH).join('\n')}\n`);
    void goOn.then(() => call.end(records.slice(BATCH).join('\n')));
  });
}

const count = async (open: boolean): Promise<number> =>
  (
    await world.ctx.db.one<{ count: number }>(
      sql`select count(*)::int as count from smart_alert where (cleared_at is null) = ${open}`,
    )
  ).count;

const EXPECTED = Array.from({ length: SPELLS + 1 }, (_, i) => [
  minute(i * 4 + 1),
  i === SPELLS ? null : minute(i * 4 + 2),
]);

describe('readings', () => {
  it('raise and clear each alert exactly once if their feed is killed at any moment and fed again', async (t) => {
    await eachRound(t, ROUNDS, async (t, round) => {
      const records = lines(round);
      const [first] = await crew.have(1);
      const goOn = Promise.withResolvers<void>();
      const fed = feed(first!.url, records, goOn.promise);
      while ((await count(false)) <= round * ALERTS) await sleep(2);
      goOn.resolve();
      await sleep(moments.between(0, 100));
      await killForGood(world, first!);
      const kept = (await count(false)) - round * ALERTS;
      t.diagnostic(
        `killed when ${kept} of ${ALERTS} alerts had been cleared, ${(await fed) ? '' : 'un'}answered`,
      );
      const [second] = await crew.have(1);
      const again = await feed(second!.url, records);
      assert.equal(again!.accepted + again!.duplicates + again!.late, records.length);
      // The last ones become due without a reading.
      while ((await count(true)) < (round + 1) * DEVICES) await sleep(20);
    });
    const stories = await world.ctx.db.many<{ story: [string, string | null][] }>(sql`
      select json_agg(json_build_array(raised_at, cleared_at) order by raised_at) as story from smart_alert group by rule_id`);
    assert.equal(stories.length, imeis.length);
    for (const { story } of stories)
      assert.deepEqual(
        story.map(([raised, cleared]) => [Date.parse(raised), cleared === null ? null : Date.parse(cleared)]),
        EXPECTED,
      );
    const told = await world.ctx.db.many<{ state: string; count: number }>(sql`
      select payload::jsonb #>> '{deviceResponse,alertServiceResponse,state}' as state, count(*)::int as count
      from callback_message where service_name = 'AlertService' group by 1 order by 1`);
    assert.deepEqual(told, [
      { state: 'cleared', count: imeis.length * SPELLS },
      { state: 'raised', count: imeis.length * (SPELLS + 1) },
    ]);
  });
});
