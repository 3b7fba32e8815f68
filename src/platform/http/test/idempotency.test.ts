import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { makeCtx } from '../../../../test/support/ctx.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { Fault } from '../../context/fault.ts';
import { sql } from '../../db/sql.ts';
import { withSession } from '../access.ts';
import { speak } from '../dialect.ts';
import { m2mDialect } from '../dialects.ts';
import { acceptIdempotencyKeys, deleteExpiredAnswers } from '../idempotency.ts';

const { db, drop } = await freshDatabase();
const ctx = makeCtx(db);
await db.exec(sql`create table thing (id serial primary key, name text)`);

/** Holds a request inside its handler until the test releases it. */
let gate: Promise<void> = Promise.resolve();
let insideHandler = () => {};

const api: FastifyInstance = Fastify();
for (const name of ['ctx', 'dialect', 'principal']) api.decorateRequest(name);
speak(api, m2mDialect);
api.addHook('onRequest', async (request) => {
  request.ctx = ctx;
  request.principal = {
    username: String(request.headers['x-user'] ?? 'a'),
    sessionHash: '',
    accounts: new Map(),
  };
});
/** The database that the hooks after the handler use. */
let dbAfterHandler: unknown;
api.addHook('onSend', async (request) => {
  dbAfterHandler = request.ctx.db;
});
acceptIdempotencyKeys(api);
api.post('/things', { config: { access: withSession } }, async ({ ctx: { db: tx }, body }, reply) => {
  const { name } = body as { name: string };
  const row = await tx.one<{ id: number }>(sql`insert into thing (name) values (${name}) returning id`);
  insideHandler();
  await gate;
  if (name === 'refused') throw new Fault({ status: 400, code: 'NO', message: 'no' });
  if (name === 'later')
    throw new Fault({ status: 409, code: 'NO', message: 'no' }, { headers: { 'retry-after': '5' } });
  if (name === 'broken') throw new Error('boom');
  reply.header('webhook-secret', 'whsec_x').code(201);
  return row;
});
after(async () => {
  await api.close();
  await drop();
});

const post = (name: string, key?: string, user = 'a') =>
  api.inject({
    method: 'POST',
    url: '/things',
    payload: { name },
    headers: { 'x-user': user, ...(key && { 'idempotency-key': key }) },
  });
const count = async (name: string) =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from thing where name = ${name}`)).n;

describe('a request with an Idempotency-Key', () => {
  // proves requests/idempotency-keys requests/request-ids
  it('acts once and gets the same status and body again, but never a secret header', async () => {
    const [first, second] = [await post('once', 'k1'), await post('once', 'k1')];
    assert.deepEqual([first.statusCode, second.statusCode, second.json()], [201, 201, first.json()]);
    assert.deepEqual(
      [first.headers['webhook-secret'], second.headers['webhook-secret']],
      ['whsec_x', undefined],
    );
    assert.equal(await count('once'), 1);
  });

  it('without one acts every time', async () => {
    await Promise.all([post('often'), post('often')]);
    assert.equal(await count('often'), 2);
  });

  // proves requests/idempotency-keys
  it('belongs to the user, so two users may choose the same key', async () => {
    await post('shared', 'k2', 'a');
    await post('shared', 'k2', 'b');
    assert.equal(await count('shared'), 2);
  });

  // proves requests/idempotency-keys
  it('422: is refused with another body', async () => {
    await post('first body', 'k3');
    const answer = await post('second body', 'k3');
    assert.deepEqual([answer.statusCode, await count('second body')], [422, 0]);
  });

  // proves requests/idempotency-keys
  it('409: is refused while the first is still being worked on', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    gate = promise;
    insideHandler = entered.resolve;
    const first = post('slow', 'k4');
    await entered.promise;
    const second = await post('slow', 'k4');
    resolve();
    assert.deepEqual([second.statusCode, (await first).statusCode, await count('slow')], [409, 201, 1]);
    gate = Promise.resolve();
    insideHandler = () => {};
  });

  it('keeps a refusal, and undoes its change', async () => {
    const [first, second] = [await post('refused', 'k5'), await post('refused', 'k5')];
    assert.deepEqual(
      [first.statusCode, second.statusCode, second.json()],
      [400, 400, { errorCode: 'NO', errorMessage: 'no' }],
    );
    assert.equal(await count('refused'), 0);
  });

  it('is refused with the headers of the refusal', async () =>
    assert.equal((await post('later', 'k8')).headers['retry-after'], '5'));

  it('does not pass its transaction to the hooks that run after it', async () => {
    for (const name of ['hooked', 'refused', 'broken']) {
      dbAfterHandler = undefined;
      await post(name, `k9-${name}`);
      assert.equal(dbAfterHandler, db, name);
    }
  });

  // proves requests/idempotency-keys
  it('does not keep a failure of the service: the next try acts', async () => {
    assert.equal((await post('broken', 'k6')).statusCode, 500);
    assert.equal((await post('mended', 'k6')).statusCode, 201);
  });

  // proves requests/idempotency-keys
  it('is forgotten after a day', async () => {
    await post('daily', 'k7');
    ctx.clock.holdAt(new Date(ctx.now().getTime() + 24 * 3_600_000 + 1));
    await post('daily', 'k7');
    assert.equal(await count('daily'), 2);
    assert.ok((await deleteExpiredAnswers(db, ctx.now(), 1_000)) > 0);
  });

  it('400: must be visible characters', async () => {
    assert.equal((await post('x', 'k'.repeat(256))).statusCode, 400);
    assert.equal(await count('x'), 0);
  });
});
