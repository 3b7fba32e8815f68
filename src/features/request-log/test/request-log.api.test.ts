import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const user = await asUser(world);
const list = async (query = '') => (await world.operator('GET', `/requests${query}`)).json();
const newest = async (query = '') => (await list(query))[0];
const ACTIVATE = {
  accountName: ACCOUNT,
  deviceIds: [{ id: '990000000000011', kind: 'imei' }],
  servicePlan: 'P-5MB',
  mdnZipCode: '76051',
};

describe('GET /requests', () => {
  it('has a call as soon as it is answered, with its caller, request and answer', async () => {
    const answer = await user.call('GET', `/m2m/v1/plans/${ACCOUNT}?x=1`);
    const { id, at, durationMs, caused, ...call } = await newest();
    assert.deepEqual(call, {
      requestId: answer.headers['x-request-id'],
      operation: 'listPlans',
      method: 'GET',
      path: `/m2m/v1/plans/${ACCOUNT}?x=1`,
      accountName: ACCOUNT,
      status: 200,
      caller: { kind: 'user', name: USER.username },
      request: null,
      answer: answer.json(),
      reason: null,
      injected: null,
    });
    assert.deepEqual(caused, { callbacks: [], firings: [], mails: [], jobs: [], more: false });
    assert.match(id, /-/);
    assert.equal(at, world.ctx.now().toISOString());
    assert.equal(typeof durationMs, 'number');
  });

  it('has the reason for a refusal, with a link to its documentation', async () => {
    await user.call('GET', `/m2m/v1/plans/${STRANGER}`);
    const { status, reason } = await newest();
    assert.equal(status, 401);
    assert.deepEqual(reason, {
      code: 'UnifiedWebService.REQUEST_FAILED.AccountName',
      message: 'The user has no access to the account.',
      rule: 'docs/errors.md#m2m-area',
    });
    await user.call('POST', '/loc/v1/locations', {});
    assert.match((await newest()).reason.detail, /required/);
  });

  it('has the body of a feed without positions, and only the beginning of a long one', async () => {
    const used = {
      id: 'log-1',
      kind: 'imei',
      device: '990000000000011',
      at: '2026-01-04T00:00:00Z',
      bytes: 1,
    };
    await world.operator('POST', '/usage', JSON.stringify(used));
    assert.deepEqual((await newest()).request, used);
    const place = { kind: 'imei', device: '990000000000011', at: '2026-01-04T00:00:00Z', lat: 1, lon: 2 };
    await world.operator('POST', '/positions', `${JSON.stringify(place)}\n`.repeat(2));
    const { request } = await newest();
    assert.match(request, /"lat":"\[withheld\]","lon":"\[withheld\]"/);
    await world.operator('POST', '/usage', `${JSON.stringify(used)}\n`.repeat(1_000));
    const long = (await newest()).request;
    assert.ok(long.startsWith(JSON.stringify(used)));
    assert.deepEqual([long.endsWith('…'), Buffer.byteLength(long) <= 16_400], [true, true]);
  });

  it('has calls of unknown paths, and leaves out bodies that are not JSON', async () => {
    await user.call('GET', '/m2m/v9/nothing');
    const { status, operation, path } = await newest();
    assert.deepEqual([status, operation, path], [404, null, '/m2m/v9/nothing']);
    await user.call('POST', '/m2m/v1/devices/actions/list', '{"password": "x');
    assert.deepEqual([(await newest()).status, (await newest()).request], [400, null]);
  });

  it('can be filtered by operation, account, status and time, read page by page, and from a call on', async () => {
    await user.call('GET', `/m2m/v1/accounts/${ACCOUNT}`);
    const { id } = await newest('?operation=readAccount');
    for (let i = 0; i < 3; i++) await user.call('GET', `/m2m/v1/accounts/${ACCOUNT}`);
    const newer = await list(`?after=${id}&operation=readAccount`);
    assert.equal(newer.length, 3);
    const first = await world.operator('GET', '/requests?operation=readAccount&limit=2');
    assert.deepEqual(
      first.json().map((call: { id: string }) => call.id),
      [newer[2].id, newer[1].id],
    );
    const rest = await list(`?operation=readAccount&limit=2&page=${first.headers['x-next']}`);
    assert.deepEqual(rest[1].id, id);
    assert.equal((await list(`?accountName=${STRANGER}`)).length, 0);
    assert.ok((await list('?status=404')).every((call: { status: number }) => call.status === 404));
    assert.equal((await list('?since=2099-01-01')).length, 0);
    assert.equal((await world.operator('GET', '/requests?since=soon')).statusCode, 400);
  });

  it('leaves out reads of the log', async () => {
    const before = await newest();
    await list();
    assert.equal((await newest()).id, before.id);
  });

  it('cuts bodies at 16 KiB', async () => {
    const name = 'x'.repeat(20_000);
    await user.call('POST', '/m2m/v1/devices/actions/list', { accountName: ACCOUNT, name });
    const { request } = await newest();
    assert.equal(typeof request, 'string');
    assert.equal(Buffer.byteLength(request), 16 * 1024 + Buffer.byteLength('…'));
  });
});

describe('what a call caused', () => {
  it('includes indirect effects: the job, and the callback that the job posted', async () => {
    const listener = await openListener();
    await user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: 'CarrierService', url: listener.url });
    const answer = await user.call('POST', '/m2m/v1/devices/actions/activate', ACTIVATE);
    const { requestId } = answer.json();
    const [job] = (await newest()).caused.jobs;
    assert.equal(job.state, 'waiting');
    await world.engine.settle();
    const { caused } = await newest();
    assert.equal(caused.jobs[0].state, 'done');
    assert.equal(caused.callbacks[0].requestId, requestId);
    assert.equal(caused.callbacks[0].serviceName, 'CarrierService');
  });
});

describe('what a feed caused', () => {
  it('is the firing of a trigger, and the mail about it', async () => {
    await world.import({
      subscriptions: [{ accountName: ACCOUNT, serviceName: 'fota', skuName: 'fota', allowance: 1 }],
      usageTriggers: [
        {
          accountName: ACCOUNT,
          triggerName: 'all',
          serviceName: 'fota',
          thresholdValue: '100',
          sendEmailNotification: true,
          emailAddresses: 'ada@example.com',
        },
      ],
    });
    const at = world.ctx.now().toISOString();
    const record = { id: 'u-1', kind: 'imei', device: '990000000000011', at, bytes: 1, serviceName: 'fota' };
    await world.operator('POST', '/usage', [record]);
    const { operation, request, caused } = await newest();
    assert.deepEqual([operation, request], ['operatorFeedUsage', [record]]);
    assert.equal(caused.firings[0].accountName, ACCOUNT);
    assert.equal(caused.mails[0].channel, 'mail');
  });
});

describe('GET /requests/{id}', () => {
  it('has the call as a shell command that takes credentials from the environment', async () => {
    await user.call('POST', '/m2m/v1/devices/actions/list', { accountName: ACCOUNT, note: "it's" });
    const { curl } = (await world.operator('GET', `/requests/${(await newest()).id}`)).json();
    assert.equal(
      curl,
      `curl -X POST "$LINEKEEPER_URL"'/m2m/v1/devices/actions/list' \\
  -H "Authorization: Bearer $LINEKEEPER_TOKEN" \\
  -H "SVC-M2M-Token: $LINEKEEPER_SESSION_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"accountName":"${ACCOUNT}","note":"it'\\''s"}'`,
    );
  });

  it('404: an unknown call', async () => {
    const answer = await world.operator('GET', '/requests/00000000-0000-4000-8000-000000000000');
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'request_unknown']);
  });
});

describe('the deletion of an account', () => {
  it('deletes its calls, and the bodies of calls of no account that may concern it', async () => {
    const other = await makeWorld();
    await other.import(SMALL_FLEET);
    const caller = await asUser(other);
    await caller.call('GET', `/m2m/v1/plans/${ACCOUNT}`);
    await other.operator('GET', '/accounts');
    await other.operator('DELETE', `/accounts/${ACCOUNT}`);
    const calls = (await other.operator('GET', '/requests')).json();
    assert.deepEqual(
      calls.filter(({ operation }: { operation: string }) => operation === 'listPlans'),
      [],
    );
    assert.ok(!JSON.stringify(calls.map((call: { answer: unknown }) => call.answer)).includes(ACCOUNT));
    assert.equal(calls[0].operation, 'operatorDeleteAccount');
  });
});
