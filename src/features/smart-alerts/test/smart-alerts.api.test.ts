import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, STRANGER, STRANGER_USER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { purgeSmartAlerts } from '../jobs.ts';
import type { WireAlert } from '../schemas.ts';
import { hotter, imeiOf, makeScene } from './scene.ts';

const { world, withRule, feed, alertsOf } = await makeScene();
const user = await asUser(world);
const stranger = await asUser(world, STRANGER_USER);
const n = await withRule(hotter(30));
const other = await withRule({ when: hotter(30), message: 'The cold room is warm' });
await feed(n, [0, 31], [1, 10], [2, 31], [3, 10], [4, 31]);
await feed(other, [4, 40]);

const query = (body: object = {}) =>
  user.call('POST', '/dm/v1/smartAlerts/actions/query', { accountname: ACCOUNT, ...body });
const ids = async (body: object) => (await query(body)).json().map(({ id }: { id: string }) => id);
const refusal = async (body: object) => {
  const answer = await query(body);
  assert.deepEqual(Object.keys(answer.json()), ['error', 'error_description', 'cause'], answer.body);
  return [answer.statusCode, answer.json().cause];
};
const acknowledge = (body: object) =>
  user.call('PATCH', '/dm/v1/smartAlerts', { accountname: ACCOUNT, ...body });
const all: WireAlert[] = (await query()).json();
const [newest] = all;

// proves rules/alerts
describe('POST /dm/v1/smartAlerts/actions/query', () => {
  it('200: returns every field of every alert of the account, newest first', () => {
    assert.equal(all.length, 4);
    const { id, ruleid, deviceid, foreignid, versionid, ...rest } = all.find(
      ({ description }) => description === 'The cold room is warm',
    )!;
    assert.match([id, ruleid, deviceid, foreignid, versionid].join(' '), /^([0-9a-f-]{36} ?){5}$/);
    assert.deepEqual(rest, {
      accountclientid: null,
      acknowledged: false,
      acknowledgedby: null,
      acknowledgedon: null,
      billingaccountid: ACCOUNT,
      cause: 'condition',
      clearedon: null,
      clearedreason: null,
      compared: [{ field: 't', operator: 'gt', limit: 30, value: 40 }],
      createdon: '2026-01-05T00:04:00.000Z',
      description: 'The cold room is warm',
      devicename: imeiOf(other),
      lastupdated: '2026-01-05T00:04:00.000Z',
      name: `rule ${other}`,
      raisedon: '2026-01-05T00:04:00.000Z',
      reading: { t: 40 },
      state: 'raised',
      version: '1',
    });
  });

  it('200: filters by every identifier and by fields, including those of the reading', async () => {
    const [alert] = await alertsOf(other);
    const id = alert!.id;
    for (const resourceidentifier of [
      { id },
      { ruleid: alert!.ruleid },
      { deviceid: String(alert!.deviceid).toUpperCase() },
      { imei: imeiOf(other), deviceid: alert!.deviceid },
    ])
      assert.deepEqual(await ids({ resourceidentifier }), [id]);
    for (const $selection of [
      { name: `rule ${other}` },
      { 'reading.t': 40 },
      { state: 'RAISED', description: 'The cold room is warm' },
      { raisedon: '2026-01-05T00:04:00Z', deviceid: alert!.deviceid },
      { id, version: '1', acknowledged: false, cause: 'condition', versionid: alert!.versionid },
    ])
      assert.deepEqual(await ids({ filter: { $selection } }), [id], JSON.stringify($selection));
    for (const $selection of [
      { id: 'none' },
      { acknowledgedby: 'x' },
      { clearedon: 'never' },
      { accountclientid: '1' },
    ])
      assert.deepEqual(await ids({ filter: { $selection } }), []);
    assert.deepEqual(await ids({ resourceidentifier: { imei: '990000000000029' } }), []);
    const nulls = { imei: null, serial: null, id };
    assert.deepEqual(
      await ids({ resourceidentifier: nulls, filter: { $selection: { name: null }, $projection: [] } }),
      [id],
    );
    assert.deepEqual(await ids({ filter: { $selection: { raisedon: '-271821-04-20T00:00:00Z' } } }), []);
  });

  it('200: finds by an identifier too long for a number, and not by its neighbour', async () => {
    const device = { accountName: ACCOUNT, imei: imeiOf(other), esn: '18446744073709551615' };
    await world.import({ devices: [device] });
    const count = async (esn: string) =>
      (
        await user.call(
          'POST',
          '/dm/v1/smartAlerts/actions/query',
          `{"accountname":"${ACCOUNT}","resourceidentifier":{"esn":${esn}}}`,
        )
      ).json().length;
    assert.deepEqual([await count('18446744073709551615'), await count('18446744073709551614')], [1, 0]);
  });

  it('200: pages by number and by X-Next, and returns only projected fields', async () => {
    const expected = all.map(({ id }) => id);
    assert.deepEqual(await ids({ filter: { $limitnumber: 3, $pagenumber: 2 } }), expected.slice(3));
    const first = await query({ filter: { $limitnumber: 3 } });
    const next = first.headers['x-next'];
    const second = await query({ filter: { $limitnumber: 3, $page: next } });
    assert.deepEqual(
      [...first.json(), ...second.json()].map(({ id }) => id),
      expected,
    );
    assert.equal(second.headers['x-next'], undefined);
    const full = await query({ filter: { $limitnumber: 1, $pagenumber: 4 } });
    assert.deepEqual([full.json().length, full.headers['x-next']], [1, undefined]);
    assert.deepEqual(await ids({ filter: { $limitnumber: 1, $nopagination: true } }), expected);
    assert.deepEqual(
      (await query({ filter: { $projection: ['state', 'nonsense'], $limitnumber: 1 } })).json(),
      [{ state: newest!.state }],
    );
  });

  it('400: refuses unknown fields, forged pages and values beyond the limits, with the cause', async () => {
    const next = (await query({ filter: { $limitnumber: 1 } })).headers['x-next'];
    const unsealed = Buffer.from(newest!.id).toString('base64url');
    const wrong: [object, string][] = [
      [{ filter: { $selection: { colour: 'red' } } }, 'filter.$selection.colour'],
      [{ filter: { $selection: { toString: 'x' } } }, 'filter.$selection.toString'],
      [{ filter: { $selection: { 'reading.__proto__': 'x' } } }, 'filter.$selection.reading.__proto__'],
      [{ filter: { $selection: { state: ['raised'] } } }, 'filter.$selection.state'],
      [{ filter: { $page: 'forged' } }, 'filter.$page'],
      [{ filter: { $page: unsealed } }, 'filter.$page'],
      [{ filter: { $page: next, $selection: { state: 'raised' } } }, 'filter.$page'],
      [{ filter: { $pagenumber: -1 } }, 'filter.$pagenumber'],
      [{ filter: { $pagenumber: 1_000_000, $limitnumber: 2_000 } }, 'filter.$pagenumber'],
      [{ filter: { $limitnumber: 2_001 } }, 'filter.$limitnumber'],
      [{ filter: { $projection: Array.from({ length: 101 }, () => 'id') } }, 'filter.$projection'],
      [{ filter: { $expand: 'sensors' } }, 'filter.$expand'],
      [{ resourceidentifier: { mac: 'no mac' } }, 'resourceidentifier.mac'],
    ];
    for (const [body, cause] of wrong) assert.deepEqual(await refusal(body), [400, cause]);
  });

  it('200: shows no alerts of another customer', async () => {
    const answer = await stranger.call('POST', '/dm/v1/smartAlerts/actions/query', { accountname: STRANGER });
    assert.deepEqual(answer.json(), []);
  });
});

describe('PATCH /dm/v1/smartAlerts', () => {
  it('200: records once who acknowledged an alert, and takes it back; its state does not change', async () => {
    const [alert] = await alertsOf(other);
    world.pass(60_000);
    const answer = await acknowledge({
      id: String(alert!.id).toUpperCase(),
      versionid: alert!.versionid,
    });
    const seen = answer.json();
    assert.deepEqual(
      [
        answer.statusCode,
        seen.acknowledged,
        seen.acknowledgedby,
        seen.acknowledgedon,
        seen.state,
        seen.version,
      ],
      [200, true, 'ws-user', world.clock.now().toISOString(), 'raised', '2'],
    );
    assert.notEqual(seen.versionid, alert!.versionid);
    assert.deepEqual((await acknowledge({ resourceidentifier: { id: seen.id } })).json(), seen);
    const audited = (await world.operator('GET', '/audit?action=acknowledgeSmartAlerts')).json();
    assert.deepEqual(
      [audited.length, audited[0].actor, audited[0].target, audited[0].after],
      [1, 'ws-user', seen.id, { acknowledged: true, ids: [seen.id] }],
    );
    const back = (await acknowledge({ id: seen.id, smartalert: { acknowledged: false } })).json();
    assert.deepEqual([back.acknowledged, back.acknowledgedby, back.version], [false, null, '3']);
  });

  it('412: refuses a version that is not the current one, and changes nothing', async () => {
    const [alert] = await alertsOf(other);
    const answer = await acknowledge({ id: alert!.id, versionid: '00000000-0000-4000-8000-000000000000' });
    assert.deepEqual([answer.statusCode, answer.json().error], [412, 'version_conflict']);
    const inside = { id: alert!.id, versionid: alert!.versionid, smartalert: { versionid: 'older' } };
    assert.equal((await acknowledge(inside)).statusCode, 412);
    assert.deepEqual((await alertsOf(other))[0], alert);
  });

  it('404: finds no alert of another customer, nor one that does not exist', async () => {
    const theirs = await stranger.call('PATCH', '/dm/v1/smartAlerts', {
      accountname: STRANGER,
      id: newest!.id,
    });
    assert.deepEqual([theirs.statusCode, theirs.json().error], [404, 'smart_alert_not_found']);
    assert.equal((await acknowledge({ id: '00000000-0000-4000-8000-000000000000' })).statusCode, 404);
  });

  it('400: needs an id', async () => assert.equal((await acknowledge({})).json().cause, 'id'));
});

describe('POST /dm/v1/smartAlerts/actions/bulkupdate', () => {
  const bulk = (body: object) =>
    user.call('POST', '/dm/v1/smartAlerts/actions/bulkupdate', { accountname: ACCOUNT, ...body });

  it('200: acknowledges all of them and returns them in the order requested; 404: or none', async () => {
    const wanted = (await alertsOf(n)).map(({ id }) => id);
    const missing = await bulk({ ids: [...wanted, '00000000-0000-4000-8000-000000000000'] });
    assert.equal(missing.statusCode, 404);
    assert.ok((await query()).json().every(({ acknowledged }: { acknowledged: boolean }) => !acknowledged));
    const answer = (await bulk({ ids: wanted })).json();
    assert.deepEqual(
      answer.map(({ id, acknowledged }: { id: string; acknowledged: boolean }) => [id, acknowledged]),
      wanted.map((id) => [id, true]),
    );
  });

  it('400: accepts at least one and at most 1,000', async () => {
    assert.equal((await bulk({ ids: [] })).statusCode, 400);
    assert.equal((await bulk({ ids: Array.from({ length: 1_001 }, () => newest!.id) })).statusCode, 400);
  });
});

describe('POST /dm/v1/smartAlerts/actions/metrics', () => {
  it('200: counts by state, for all or a selection', async () => {
    const metrics = async (body: object = {}) =>
      (
        await user.call('POST', '/dm/v1/smartAlerts/actions/metrics', { accountname: ACCOUNT, ...body })
      ).json();
    assert.deepEqual(await metrics(), {
      total: 4,
      raised: 2,
      cleared: 2,
      acknowledged: 3,
      unacknowledged: 1,
    });
    assert.deepEqual(await metrics({ filter: { $selection: { state: 'cleared' } } }), {
      total: 2,
      raised: 0,
      cleared: 2,
      acknowledged: 2,
      unacknowledged: 0,
    });
  });
});

describe('smart alerts', () => {
  it('are deleted long enough after they were cleared; open ones stay', async () => {
    const run = { jobId: '1', ecpdId: '', attempt: 1, signal: new AbortController().signal };
    await purgeSmartAlerts(1).run(world.ctx, {}, run);
    assert.equal((await ids({})).length, 4);
    world.pass(2 * 86_400_000);
    await purgeSmartAlerts(1).run(world.ctx, {}, run);
    const after = await world.ctx.db.many<{ open: boolean }>(
      sql`select cleared_at is null as open from smart_alert`,
    );
    assert.deepEqual(after, [{ open: true }, { open: true }]);
  });

  it('are deleted with their account, and no more callbacks about them are sent', async () => {
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    await world.watcher.settle();
    const { left } = await world.ctx.db.one<{ left: number }>(sql`
      select ((select count(*) from smart_alert) + (select count(*) from rule_state) + (select count(*) from rule_change)
        + (select count(*) from callback_message))::int as left`);
    assert.equal(left, 0);
  });
});
