import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMALL_FLEET } from '../support/fleet.ts';
import { head, type RawAnswer, RawConnection } from '../support/raw-connection.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
const { api } = world;
await world.import(SMALL_FLEET);
const makeKey = async (name: string): Promise<string> =>
  (await world.operator('POST', '/keys', { name, scopes: ['feed'] })).json().key;
const [one, other] = [await makeKey('one'), await makeKey('other')];
await api.listen({ port: 0, host: '127.0.0.1' });
const { port } = api.server.address() as { port: number };

const open: RawConnection[] = [];
after(() => {
  for (const each of open) each.close();
});

const record = (id: string) =>
  `${JSON.stringify({ id, kind: 'imei', device: '990000000000011', at: '2026-01-04T00:00:00Z', bytes: 1 })}\n`;

/** A feed that promises an end and never sends it. */
async function silentFeed(key: string, path: string, sent = ''): Promise<RawConnection> {
  const connection = new RawConnection(port);
  open.push(connection);
  const headers = { authorization: `Bearer ${key}`, 'content-length': 1_000_000 };
  await connection.send(head('POST', `/api/operator/v1/${path}`, headers), sent);
  return connection;
}

const feed = (key: string, id: string) =>
  world.operator('POST', '/usage', record(id), { authorization: `Bearer ${key}` });

describe('a feed that is silent for 5 s', { concurrency: true }, () => {
  for (const path of ['usage', 'positions', 'readings'])
    it(`408: gives up its place by ${path}, and its connection ends`, async () => {
      const connection = await silentFeed(one, path);
      const answer = await connection.read();
      assert.deepEqual([answer.status, answer.headers['connection']], [408, 'close']);
      assert.equal(JSON.parse(answer.body).code, 'feed_silent');
      assert.equal(await connection.ended(), undefined);
    });

  // proves usage/silent-senders
  it('408: says what was taken before, and that is kept', async () => {
    const answer = await (
      await silentFeed(one, 'usage', record('taken') + record('cut').slice(0, 20))
    ).read();
    const { accepted, rejectedTotal } = JSON.parse(answer.body);
    assert.deepEqual([answer.status, accepted, rejectedTotal], [408, 1, 0]);
    assert.equal((await feed(one, 'taken')).json().duplicates, 1);
  });
});

// proves usage/silent-senders
it('429: one key holds at most half of the places for feeds, and others find theirs', async () => {
  const answers: RawAnswer[] = [];
  const answered = Array.from({ length: 20 }, async () => {
    answers.push(await (await silentFeed(one, 'usage')).read());
  });
  while (answers.length < 12) await Promise.race([Promise.all(answered), sleep(10)]);
  const refused = answers.slice(0, 12);
  assert.ok(refused.every(({ status, headers }) => status === 429 && headers['retry-after'] === '5'));
  assert.ok(refused.every(({ body }) => JSON.parse(body).code === 'key_feeds_busy'));
  assert.equal((await feed(one, 'mine')).statusCode, 429);
  assert.equal((await feed(other, 'theirs')).statusCode, 200);
  await Promise.all(answered);
  assert.ok(answers.slice(12).every(({ status }) => status === 408));
  assert.equal((await feed(one, 'mine')).statusCode, 200);
});
