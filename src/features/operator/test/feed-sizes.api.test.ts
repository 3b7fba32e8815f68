import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const LINES = 60_000;
const sizes = { feedBytesMax: 20_000_000, feedLinesMax: LINES, feedRejectedMax: 100 };
const world = await makeWorld({ settings: sizes });
world.clock.holdAt(new Date('2026-01-15T12:00:00Z'));
await world.import(SMALL_FLEET);
const use = (id: number) =>
  JSON.stringify({
    id: `u${id}`,
    kind: 'imei',
    device: '990000000000011',
    at: '2026-01-15T08:00:00Z',
    bytes: 1,
  });
const until = async (isSo: () => Promise<boolean>) => {
  for (let n = 0; n < 400 && !(await isSo()); n++) await sleep(25);
  assert.ok(await isSo());
};
const feed = (name: string, text: string) =>
  world.api.inject({
    method: 'POST',
    url: `/api/operator/v1/${name}`,
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/x-ndjson' },
    payload: gzipSync(text),
  });
const few = [1, 2, 3].map(use).join('\n');

// proves usage/sizes-of-feeds
it('a feed that unpacks to too many bytes, lines or bad lines breaks off, and keeps what it brought before', async () => {
  for (const [name, more, reason] of [
    ['usage', 'x'.repeat(30_000_000), 'has more than 20000000 bytes'],
    ['usage', '\n'.repeat(LINES), `has more than ${LINES} lines`],
    ['usage', 'bad\n'.repeat(200), 'has more than 100 rejected records'],
    ['positions', 'bad\n'.repeat(200), 'has more than 100 rejected records'],
    ['readings', 'bad\n'.repeat(200), 'has more than 100 rejected records'],
    ['cells', 'bad\n'.repeat(200), 'has more than 100 rejected records'],
  ] as const) {
    const answer = await feed(name, `${few}\n${more}`);
    assert.equal(answer.statusCode, 422, answer.body);
    assert.match(answer.json().detail, new RegExp(reason));
  }
  assert.equal((await feed('usage', few)).json().duplicates, 3);
});

// proves usage/sizes-of-feeds
it('a feed whose sender has gone ends after the batches that it was writing', async () => {
  const { db } = world.ctx;
  const url = await world.api.listen({ port: 0, host: '127.0.0.1' });
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = db.tx(async (tx) => {
    await tx.exec(sql`select 1 from account where ecpd_id = '9000001' for update`);
    isHeld.resolve();
    await held.promise;
  });
  await isHeld.promise;
  const call = request(`${url}/api/operator/v1/usage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
  });
  call.on('error', () => {});
  call.end(gzipSync(Array.from({ length: LINES }, (_, n) => use(100 + n)).join('\n')));
  const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await until(async () => (await db.maybe(waiting)) !== undefined);
  call.destroy();
  await until(
    () => new Promise((resolve) => world.api.server.getConnections((_, count) => resolve(count === 0))),
  );
  held.resolve();
  await holding;
  // A call has its status when it has ended.
  await until(async () => {
    const calls: { action: string; status: number | null }[] = (
      await world.operator('GET', '/audit?limit=100')
    ).json();
    return calls.find(({ action }) => action === 'operatorFeedUsage')?.status === 422;
  });
  const taken = await db.value<number>(sql`select count(*)::int from usage_record`);
  assert.ok(taken > 3 && taken < LINES, String(taken));
});
