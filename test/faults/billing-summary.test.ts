import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('billing-summary');
const LINES = 10_000;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import({
  ...SMALL_FLEET,
  devices: SMALL_FLEET.devices.filter(({ accountName }) => accountName === STRANGER),
});
// The job must be due by the real clock of the worker process.
world.clock.release();
world.clock.reset();
const { db } = world.ctx;
await db.exec(sql`
  insert into device (ecpd_id, device_id, account_name, kind, state, imei, iot, activated_by_sku, ota_updated, labels,
    record, simulation, foreign_id, created_on, last_updated, version, version_id)
  select '9000001', gen_random_uuid(), ${ACCOUNT}, 'device', 'active', (870000000000000 + n)::text, true, false, true, '[]',
    '{}', '{}', gen_random_uuid(), now(), now(), 1, gen_random_uuid()
  from generate_series(1, ${LINES}::int) n`);
await db.exec(sql`
  insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
  select 'imei', imei, ecpd_id, account_name, device_id from device where account_name = ${ACCOUNT}`);
const at = world.ctx.now();
const records = Array.from({ length: LINES }, (_, n) =>
  JSON.stringify({
    id: `r${n}`,
    kind: 'imei',
    device: String(870_000_000_000_001 + n),
    at: at.toISOString(),
    bytes: n + 1,
  }),
);
assert.equal((await world.operator('POST', '/usage', records.join('\n'))).json().accepted, LINES);

const crew = openCrew(world, secretKey);
const count = async (requestId: string) =>
  db.one<{ messages: number; lines: number; bytes: number }>(sql`
    select count(*)::int as messages, count(distinct summary->'deviceIdentifier'->>'id')::int as lines,
      coalesce(sum((summary->>'totalUsage')::bigint), 0)::int as bytes
    from (select payload::json->'deviceResponse'->'billingUsageSummary' as summary
          from callback_message where request_id = ${requestId}) told`);

describe('a billing summary line by line', () => {
  it(`has each line once with its whole use, even if its worker is killed in the middle, ${ROUNDS} times`, async (t) => {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
    await eachRound(t, ROUNDS, async () => {
      const { call } = await asUser(world);
      const [worker] = await crew.have(1);
      const answer = await call('POST', '/m2m/v2/devices/usage/actions/billed', {
        accountName: ACCOUNT,
        lineLevel: true,
        billingCycle: { from: { year, month }, to: { year, month } },
      });
      const { requestId } = answer.json();
      const enough = moments.between(1, LINES - 2_000);
      await until('no messages came', async () => (await count(requestId)).messages >= enough);
      await killForGood(world, worker!);
      const { messages } = await count(requestId);
      if (messages === LINES) return TOO_LATE;
      await crew.have(1);
      const isEnded = async () =>
        (
          await db.many(
            sql`select from billing_request where request_id = ${requestId} and ended_at is not null`,
          )
        ).length === 1;
      await until('it did not end', isEnded);
      assert.deepEqual(
        await count(requestId),
        { messages: LINES, lines: LINES, bytes: (LINES * (LINES + 1)) / 2 },
        `${messages} before`,
      );
    });
  });
});
