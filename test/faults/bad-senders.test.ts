import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { eachRound, faultMoments, faultRounds } from '../support/fault-mode.ts';
import { SMALL_FLEET } from '../support/fleet.ts';
import { head, type RawAnswer, RawConnection } from '../support/raw-connection.ts';
import { openCrew } from '../support/service-crew.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('bad senders');
/** More than the service has slots for. */
const SILENT = 20;
const REFUSED = 12;
const KIB = 1024;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import(SMALL_FLEET);
const keyOf = async (name: string): Promise<string> =>
  (await world.operator('POST', '/keys', { name, scopes: ['feed', 'fleet', 'read'] })).json().key;
const [honestKey, badKey] = [await keyOf('honest'), await keyOf('bad')];
const crew = openCrew(world, secretKey, {});

const open: RawConnection[] = [];
after(() => {
  for (const each of open) each.close();
});

const AT = new Date(Date.now() - 86_400_000).toISOString();
const record = (id: string) =>
  `${JSON.stringify({ id, kind: 'imei', device: '990000000000011', at: AT, bytes: 1 })}\n`;

function connect(url: string): RawConnection {
  const connection = new RawConnection(Number(new URL(url).port));
  open.push(connection);
  return connection;
}

const post = (path: string, key: string, bytes: number) =>
  head('POST', `/api/operator/v1${path}`, { authorization: `Bearer ${key}`, 'content-length': bytes });

/** Announces a long body, sends a few records or none, and waits. Returns how many the service accepted. */
async function feedSilently(url: string, name: string, records: number): Promise<number> {
  const connection = connect(url);
  const sent = Array.from({ length: records }, (_, n) => record(`${name}-${n}`)).join('');
  await connection.send(post('/usage', badKey, 10_000_000), sent);
  const answer = await connection.read();
  connection.close();
  assert.ok([408, 429].includes(answer.status), answer.body);
  return answer.status === 408 ? JSON.parse(answer.body).accepted : 0;
}

const REFUSALS: readonly (readonly [path: string, begins: string, key: string])[] = [
  ['/import', '{"devices":[}', badKey],
  ['/import', '{"nothing":[1,2,3]', badKey],
  ['/readings', '[1]x', badKey],
  ['/positions', '\u001f\u008b', badKey],
  ['/usage', '', 'nobody'],
  ['/nowhere', '', badKey],
];

/** Sends a whole body that is refused at its beginning, and the next request, before it reads anything. */
async function sendRefused(url: string, kib: number, what: (typeof REFUSALS)[number]): Promise<RawAnswer[]> {
  const [path, begins, key] = what;
  const connection = connect(url);
  const body = Buffer.concat([Buffer.from(begins, 'latin1'), Buffer.alloc(kib * KIB, ' ')]);
  const next = head('GET', '/api/operator/v1/clock', { authorization: `Bearer ${badKey}` });
  await connection.send(post(path, key, body.length), body, next);
  const answers = [await connection.read(), await connection.read()];
  connection.close();
  return answers;
}

/** Small feeds one after the other, while the others misbehave. */
async function feedHonestly(url: string, name: string, isOver: () => boolean): Promise<number> {
  let fed = 0;
  while (!isOver() || fed === 0) {
    const answer = await fetch(`${url}/operator/v1/usage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${honestKey}` },
      body: record(`${name}-${fed}`),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.equal(JSON.parse(text).accepted, 1);
    fed++;
    await sleep(20);
  }
  return fed;
}

const countRecords = async (): Promise<number> =>
  (await world.ctx.db.one<{ count: number }>(sql`select count(*)::int as count from usage_record`)).count;

describe('senders that fall silent, and bodies that are refused,', () => {
  it('do not keep others from feeding, are all answered, and leave only the records reported as accepted', async (t) => {
    await eachRound(t, ROUNDS, async (t, round) => {
      const [{ url } = { url: '' }] = await crew.have(1);
      const before = await countRecords();
      let isOver = false;
      const honest = feedHonestly(url, `honest-${round}`, () => isOver);
      const silent = Array.from({ length: SILENT }, async (_, n) => {
        const [pauseMs, records] = [moments.between(0, 1_000), moments.pick([0, 0, 1, 5])];
        await sleep(pauseMs);
        return feedSilently(url, `silent-${round}-${n}`, records);
      });
      const refused = Array.from({ length: REFUSED }, async () => {
        const [pauseMs, kib, what] = [
          moments.between(0, 3_000),
          moments.between(100, 8_000),
          moments.pick(REFUSALS),
        ];
        await sleep(pauseMs);
        return { what, answers: await sendRefused(url, kib, what) };
      });
      for (const { what, answers } of await Promise.all(refused)) {
        const [first, next] = answers.map(({ status }) => status);
        assert.ok(first! >= 400 && first! < 500, `${what}: ${answers[0]!.body}`);
        assert.equal(next, 200, `${what}`);
      }
      const taken = (await Promise.all(silent)).reduce((sum, one) => sum + one, 0);
      isOver = true;
      const fed = await honest;
      t.diagnostic(`${fed} honest feeds beside ${SILENT} silent ones, of which ${taken} records were taken`);
      assert.equal((await countRecords()) - before, fed + taken);
      // Their slots are free again.
      const again = await fetch(`${url}/operator/v1/usage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATOR_KEY}` },
        body: record(`honest-${round}-0`),
      });
      assert.equal(((await again.json()) as { duplicates: number }).duplicates, 1);
      return undefined;
    });
  });
});
