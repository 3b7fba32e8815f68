import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  B,
  C,
  FOREIGN,
  makeScene,
  NO_TRIGGER,
  OURS,
  PATH,
  payAsYouGo,
  pool,
  THEIRS,
  TRIGGER,
  withDefaults,
} from './scene.ts';

const { world, as, created, update, read, listed, versions, clear } = await makeScene();

async function fill(): Promise<Record<'a' | 'both' | 'pool' | 'foreign', string>> {
  await clear();
  const ids = {
    a: await created({ triggerName: 'a' }),
    both: '',
    pool: '',
    foreign: '',
  };
  world.pass(1);
  ids.both = await created({ triggerName: 'both', pricePlanTrigger: payAsYouGo([B, A]) });
  world.pass(1);
  ids.pool = await created({ triggerName: 'pool', pricePlanTrigger: pool() });
  world.pass(1);
  const foreign = { triggerName: 'foreign', ecpdId: THEIRS, pricePlanTrigger: payAsYouGo([FOREIGN]) };
  ids.foreign = await created(foreign, 'stranger');
  return ids;
}

describe('listing price plan triggers', () => {
  it('200: lists the triggers whose accounts the session may all use, oldest first', async () => {
    await fill();
    assert.deepEqual(await listed(''), ['a', 'both', 'pool']);
    assert.deepEqual(await listed('/'), ['a', 'both', 'pool']);
    assert.deepEqual(await listed('', 'part'), ['a']);
    assert.deepEqual(await listed('', 'stranger'), ['foreign']);
    assert.deepEqual(await listed('', 'agent'), ['a', 'foreign']);
  });

  it('200: is a wrapped empty list if there are none', async () => {
    await clear();
    assert.deepEqual((await as.owner('GET', PATH)).json(), { triggers: [] });
  });

  // proves price-plan-triggers/lists
  it('200: continues in pages', async () => {
    await fill();
    const names: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const answer = await as.owner('GET', `${PATH}${query}`);
      names.push(...answer.json().triggers.map(({ triggerName }: typeof TRIGGER) => triggerName));
      const next = answer.headers['x-next'];
      if (next === undefined) break;
      query = `?limit=2&page=${next}`;
    }
    assert.deepEqual(names, ['a', 'both', 'pool']);
    assert.equal((await as.owner('GET', `${PATH}?limit=3`)).headers['x-next'], undefined);
  });

  it('200: ends a page early when it gets too large, and says that there is more', async () => {
    await clear();
    const notification = { ...TRIGGER.notification, more: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 10; i++) await created({ notification });
    const first = await as.owner('GET', PATH);
    assert.equal(first.json().triggers.length, 9);
    const second = await as.owner('GET', `${PATH}?page=${first.headers['x-next']}`);
    assert.deepEqual([second.json().triggers.length, second.headers['x-next']], [1, undefined]);
  });

  it('400: accepts only its own page tokens', async () => {
    const answer = await as.owner('GET', `${PATH}?page=abc`);
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_page']);
  });

  it('200: lists all triggers for the only category, in any letter case, and none for other categories', async () => {
    await fill();
    assert.deepEqual(await listed('/categories/priceplandatausage'), ['a', 'both', 'pool']);
    assert.deepEqual(await listed('/categories/AccountUsage'), []);
  });

  // proves price-plan-triggers/lists
  it('200: lists by account the visible triggers that name it or watch a group that it shares in', async () => {
    await fill();
    assert.deepEqual(await listed(`/accounts/${A}`), ['a', 'both', 'pool']);
    assert.deepEqual(await listed(`/accounts/${B}`), ['both', 'pool']);
    assert.deepEqual(await listed(`/accounts/${C}`), []);
    assert.deepEqual(await listed(`/accounts/${A}`, 'part'), ['a']);
  });

  it('401 and 404: an account that the session may not use, or that does not exist', async () => {
    assert.equal((await as.part('GET', `${PATH}/accounts/${B}`)).statusCode, 401);
    assert.equal((await as.part('GET', `${PATH}/accounts/0000000000-00000`)).statusCode, 404);
  });

  // proves price-plan-triggers/calls
  it('200: is also mounted at the path without /m2m', async () => {
    const { a } = await fill();
    const path = PATH.slice('/m2m'.length);
    assert.equal((await as.owner('GET', path)).json().triggers.length, 3);
    assert.deepEqual((await as.owner('PUT', path, { triggerId: a, triggerName: 'a2' })).json(), {
      triggerId: a,
    });
    assert.equal((await read(a)).triggerName, 'a2');
  });
});

describe('reading a price plan trigger', () => {
  it('200: is a list with one entry, with its first account', async () => {
    const { both, pool: onPool } = await fill();
    const answer = await as.owner('GET', `${PATH}/${both.toUpperCase()}`);
    assert.deepEqual(
      answer.json().triggers.map((t: Record<string, unknown>) => [t['triggerId'], t['accountName']]),
      [[both, B]],
    );
    const { accountName, organizationName, ecpdId } = await read(onPool);
    assert.deepEqual([accountName, organizationName, ecpdId], [A, 'Acme', OURS]);
  });

  it('404: a trigger of another customer, one that names other accounts too, an unknown one, or an invalid id', async () => {
    const { both, pool: onPool, foreign } = await fill();
    for (const [user, id] of [
      ['owner', foreign],
      ['part', both],
      ['part', onPool],
      ['agent', both],
      ['owner', NO_TRIGGER],
      ['owner', 'none'],
    ] as const) {
      const answer = await as[user]('GET', `${PATH}/${id}`);
      assert.deepEqual([answer.statusCode, answer.json().error], [404, 'trigger_not_found']);
      assert.equal((await as[user]('GET', `${PATH}/${id}/versions`)).statusCode, 404);
    }
  });

  // proves price-plan-triggers/deleted-accounts
  it('200: keeps working when one of its accounts is deleted, and is deleted with the last', async () => {
    await fill();
    const [first, last] = ['0000123456-00008', '0000123456-00009'];
    await world.import({
      accounts: [first, last].map((accountName) => ({ accountName, ecpdId: OURS })),
      users: [{ username: 'visitor', password: 'visitor-password', accounts: [last] }],
      pricePlanTriggers: [{ ...TRIGGER, triggerId: NO_TRIGGER, pricePlanTrigger: payAsYouGo([first, last]) }],
    });
    const { call } = await asUser(world, { username: 'visitor', password: 'visitor-password' });
    assert.equal((await call('GET', `${PATH}/${NO_TRIGGER}`)).statusCode, 404);
    await world.operator('DELETE', `/accounts/${first}`);
    assert.equal((await call('GET', `${PATH}/${NO_TRIGGER}`)).statusCode, 200);
    await world.operator('DELETE', `/accounts/${last}`);
    const left = sql`select 1 from price_plan_trigger_version where trigger_id = ${NO_TRIGGER}
      union all select 1 from price_plan_trigger where trigger_id = ${NO_TRIGGER}`;
    assert.deepEqual(await world.ctx.db.many(left), []);
    assert.deepEqual(await listed(''), ['a', 'both', 'pool']);
  });
});

describe('the versions of a price plan trigger', () => {
  it('200: lists every version, newest first, with its author and time', async () => {
    const triggerId = await created();
    const at = world.ctx.now().toISOString();
    world.pass(1_000);
    await update({ triggerId, active: false, triggerName: 'second' }, 'part');
    const { notification } = TRIGGER;
    const pricePlanTrigger = withDefaults(TRIGGER.pricePlanTrigger);
    assert.deepEqual(await versions(triggerId), [
      {
        version: 2,
        triggerName: 'second',
        active: false,
        pricePlanTrigger,
        notification,
        writtenAt: world.ctx.now().toISOString(),
        writtenBy: 'part',
      },
      {
        version: 1,
        triggerName: 'over 5',
        active: true,
        pricePlanTrigger,
        notification,
        writtenAt: at,
        writtenBy: 'owner',
      },
    ]);
  });

  it('200: are returned in pages', async () => {
    const triggerId = await created();
    for (const triggerName of ['2', '3', '4']) await update({ triggerId, triggerName });
    const names = async (query: string) =>
      (await versions(triggerId, query)).map(({ triggerName }: typeof TRIGGER) => triggerName);
    assert.deepEqual(await names('?limit=2'), ['4', '3']);
    assert.deepEqual(await names('?before=3'), ['2', 'over 5']);
  });

  it('200: hides versions that named accounts the user may not use', async () => {
    const triggerId = await created({ pricePlanTrigger: payAsYouGo([A, B]) });
    await update({ triggerId, pricePlanTrigger: payAsYouGo([A]) });
    assert.equal((await versions(triggerId)).length, 2);
    assert.deepEqual(
      (await versions(triggerId, '', 'part')).map(({ version }: { version: number }) => version),
      [2],
    );
  });

  it('200: are also written by imports, without an author, and continue when a deleted trigger is imported again', async () => {
    const triggerId = await created();
    await world.import({ pricePlanTriggers: [{ triggerId, ecpdId: OURS, active: false }] });
    const [newest] = await versions(triggerId);
    assert.deepEqual([newest.version, newest.active, 'writtenBy' in newest], [2, false, false]);
    await as.owner('DELETE', `${PATH}/${triggerId}`);
    await world.import({ pricePlanTriggers: [{ ...TRIGGER, triggerId }] });
    assert.deepEqual(
      (await versions(triggerId)).map(({ version }: { version: number }) => version),
      [3, 2, 1],
    );
  });
});
