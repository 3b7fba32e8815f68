import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld, OPERATOR_KEY } from '../../../../test/support/world.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { hashToken } from '../../../platform/crypto/token.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import { createCallCounter } from '../audit-calls.ts';
import { operatorFinder } from '../keys.ts';

const world = await makeWorld();
const count = createCallCounter();
const ctx: Ctx = { ...world.ctx, actor: { kind: 'operator', name: 'simulator' } };
const call = (action = 'operatorFeedUsage') => count(ctx, action);
const lines = async () =>
  (await world.operator('GET', '/audit?actor=simulator')).json() as {
    actorKind: string;
    action: string;
    status: number | null;
    at: string;
    after: { calls: number; until: string };
  }[];

describe("calls of the service's own programs", () => {
  // proves operating/audited-calls
  it('have one line in the audit log for each action, with their number and the time of the last', async () => {
    await Promise.all([call(), call(), call('operatorFeedPositions')]);
    world.pass(60_000);
    const until = world.ctx.now().toISOString();
    await call();
    assert.deepEqual((await lines()).map(({ action, after: { calls } }) => [action, calls]).sort(), [
      ['operatorFeedPositions', 1],
      ['operatorFeedUsage', 3],
    ]);
    const usage = (await lines()).find(({ action }) => action === 'operatorFeedUsage');
    assert.equal(usage?.after.until, until);
    assert.ok(usage.at < until);
    world.pass(86_400_000);
    await call();
    assert.deepEqual((await lines()).map(({ after: { calls } }) => calls).sort(), [1, 4]);
  });

  it('are counted separately by status if they are refused', async () => {
    await count(ctx, 'operatorFeedUsage', 503);
    await count(ctx, 'operatorFeedUsage', 503);
    const refused = (await lines()).filter(({ status }) => status !== null);
    assert.deepEqual(
      refused.map(({ action, status, after: { calls } }) => [action, status, calls]),
      [['operatorFeedUsage', 503, 2]],
    );
    await world.ctx.db.exec(sql`delete from audit_entry where status = 503`);
  });

  it('are counted once each, also if an earlier one reaches the database after a later one', async () => {
    const usage = async () => (await lines()).find(({ action }) => action === 'operatorFeedUsage')!;
    const before = await usage();
    const release = Promise.withResolvers<void>();
    const held = (statement: Query) => release.promise.then(() => ctx.db.exec(statement));
    const late = count({ ...ctx, db: { ...ctx.db, exec: held } }, 'operatorFeedUsage');
    world.pass(1_000);
    await call();
    release.resolve();
    await late;
    const until = world.ctx.now().toISOString();
    assert.deepEqual((await usage()).after, { calls: before.after.calls + 2, until });
  });

  it('count as calls by an operator key, like their changes and refusals', async () =>
    assert.deepEqual([...new Set((await lines()).map(({ actorKind }) => actorKind))], ['operator']));

  it('start another line if theirs was removed', async () => {
    await world.ctx.db.exec(sql`delete from audit_entry where actor = 'simulator'`);
    await call();
    assert.deepEqual(
      (await lines()).map(({ after }) => after.calls),
      [1],
    );
  });
});

describe('the key of the simulator', () => {
  it('may only feed and read, and no key can be created with its name', async () => {
    const find = operatorFinder(OPERATOR_KEY, 'a key of this start');
    const simulator = await find(world.ctx, hashToken('a key of this start'));
    assert.deepEqual([...(simulator?.scopes ?? [])], ['read', 'feed']);
    assert.equal(await operatorFinder(OPERATOR_KEY, undefined)(world.ctx, hashToken('undefined')), undefined);
    const taken = await world.operator('POST', '/keys', { name: 'simulator', scopes: ['read'] });
    assert.equal(taken.json().code, 'key_exists');
  });
});
