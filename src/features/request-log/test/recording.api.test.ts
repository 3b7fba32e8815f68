import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld({ settings: { sandbox: false } });
await world.import(SMALL_FLEET);
const user = await asUser(world);
const stranger = await asUser(world, STRANGER_USER);
const logged = async () => (await world.operator('GET', '/requests')).json() as { accountName: string }[];
const record = (minutes: unknown, accountName = ACCOUNT) =>
  world.operator('PUT', '/requests/recording', { accountName, minutes });
const callBoth = async () => {
  await user.call('GET', `/m2m/v1/plans/${ACCOUNT}`);
  await stranger.call('GET', `/m2m/v1/plans/${STRANGER}`);
};

describe('outside the sandbox', () => {
  it('nothing is logged until an operator records an account, then only its calls until the end', async () => {
    await callBoth();
    assert.deepEqual(await logged(), []);
    assert.equal((await record(10)).statusCode, 200);
    // Every process is notified a moment later.
    for (let i = 0; i < 200 && (await logged()).length === 0; i++, await sleep(20)) await callBoth();
    assert.deepEqual([...new Set((await logged()).map(({ accountName }) => accountName))], [ACCOUNT]);
    await record(0);
    const count = async () => (await logged()).length;
    for (let i = 0, before = -1; i < 200 && before !== (await count()); i++) {
      before = await count();
      await callBoth();
      await sleep(20);
    }
    const before = await count();
    await callBoth();
    assert.equal(await count(), before);
  });

  it('a recording is in the audit log and needs the scope admin', async () => {
    await record(1);
    const [entry] = (await world.operator('GET', '/audit?action=operatorRecordRequests')).json();
    assert.deepEqual([entry.actor, entry.accountName, entry.status], ['first', ACCOUNT, 200]);
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const body = { accountName: ACCOUNT, minutes: 1 };
    const refused = await world.operator('PUT', '/requests/recording', body, {
      authorization: `Bearer ${key}`,
    });
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'scope_missing']);
  });

  it('400, 404: a recording lasts at most an hour, and the account must exist', async () => {
    assert.equal((await record(61)).statusCode, 400);
    assert.equal((await record(10, '0000000000-00000')).json().code, 'account_unknown');
  });
});

describe('the log of requests', () => {
  it('409: cannot be switched on for an account if the setting is 0', async () => {
    const off = await makeWorld({ settings: { sandbox: false, requestLog: 0 } });
    const answer = await off.operator('PUT', '/requests/recording', { accountName: ACCOUNT, minutes: 1 });
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'request_log_off']);
    assert.deepEqual((await off.operator('GET', '/requests')).json(), []);
  });

  it('keeps as many of the newest calls as the setting says, and a few more for a while', async () => {
    const small = await makeWorld({ settings: { requestLog: 100 } });
    for (let i = 0; i < 12; i++)
      await Promise.all(Array.from({ length: 100 }, () => small.operator('GET', '/clock')));
    await small.operator('GET', '/requests?limit=1');
    const { count } = await small.ctx.db.one<{ count: number }>({
      text: 'select count(*)::int as count from logged_call',
      values: [],
    });
    assert.ok(count >= 100 && count <= 1_100, String(count));
  });
});
