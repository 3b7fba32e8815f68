import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { NOON, openMoveWorld, type Scene } from './scene.ts';

/** Warmer than 30. */
const HOT = { field: 'temp', operator: 'gt', value: 30 };

const nextScene = await openMoveWorld();

const licensesOf = async ({ db, PROFILE }: Scene) =>
  (
    await db.many<{ line: string }>(sql`
      select concat_ws(' ', l.account_name, l.sku_number, purchased, count(a.device_id)) as line
      from license l left join license_assignment a using (ecpd_id, account_name, sku_number)
      where l.ecpd_id = ${PROFILE} group by l.account_name, l.sku_number, purchased order by 1`)
  ).map(({ line }) => line);

// proves lines/another-account lines/what-moves-along
describe('POST /operator/v1/devices/:kind/:id/move', () => {
  // proves lines/another-account
  it('200: keeps identifiers, state, plan, record and labels, in the new account from now on', async () => {
    const { world, moved, caller, ACCOUNT, MANAGED, MDN, shown } = await nextScene();
    const before = await shown();
    const { accountName, planSince, record, ...same } = await moved(MANAGED);
    assert.deepEqual([accountName, planSince], [MANAGED, NOON.toISOString()]);
    assert.deepEqual({ ...before, ...same }, before);
    assert.deepEqual([record.id, record.customdata], [before.record.id, { colour: 'red' }]);
    assert.equal((await world.operator('GET', `/devices/mdn/${MDN}`)).json().accountName, MANAGED);
    const call = await caller();
    const listed = async (name: string) =>
      (await call('POST', '/m2m/v1/devices/actions/list', { accountName: name })).json().devices.length;
    assert.deepEqual([await listed(ACCOUNT), await listed(MANAGED)], [0, 1]);
  });

  // proves lines/another-account
  it('200: Lifetime licences move with it, others return to the old account', async () => {
    const scene = await nextScene();
    const { ACCOUNT, MANAGED } = scene;
    await scene.moved(MANAGED);
    assert.deepEqual(await licensesOf(scene), [
      `${ACCOUNT} SIMSec-IoT 2 0`,
      `${ACCOUNT} SIMSec-IoT-Lt 2 0`,
      `${MANAGED} SIMSec-IoT-Lt 1 1`,
    ]);
  });

  it('200: rules move with it and start again; alerts of the old account are cleared, and readings stay behind', async () => {
    const { world, db, moved, PROFILE, ACCOUNT, MANAGED, IMEI, shown } = await nextScene();
    const { record } = await shown();
    await db.exec(sql`
      insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version, version_id)
      values (${PROFILE}, ${ACCOUNT}, gen_random_uuid(), ${record.id}, ${{ name: 'hot', rulesyntax: 'json', rulechain: HOT }},
        gen_random_uuid(), ${NOON}, ${NOON}, 1, gen_random_uuid())`);
    const feedReading = (temp: number) =>
      world.operator(
        'POST',
        '/readings',
        JSON.stringify({ kind: 'imei', device: IMEI, at: world.ctx.now().toISOString(), values: { temp } }),
      );
    const alerts = () =>
      db.many<{ account: string; because: string | null }>(sql`
        select account_name as account, cleared_because as because from smart_alert
        where ecpd_id = ${PROFILE} order by created_on, account_name`);
    await feedReading(40);
    assert.deepEqual(await alerts(), [{ account: ACCOUNT, because: null }]);
    await moved(MANAGED);
    assert.deepEqual(await alerts(), [{ account: ACCOUNT, because: 'the device has left the account' }]);
    assert.deepEqual(
      await db.many(
        sql`select account_name as account, device_id as "deviceId" from rule where ecpd_id = ${PROFILE}`,
      ),
      [{ account: MANAGED, deviceId: record.id }],
    );
    assert.deepEqual(await db.many(sql`select from device_reading where ecpd_id = ${PROFILE}`), []);
    world.clock.holdAt(new Date(NOON.getTime() + 1_000));
    await feedReading(50);
    assert.deepEqual(
      (await alerts()).map(({ account }) => account),
      [ACCOUNT, MANAGED],
    );
    const late = await world.operator(
      'POST',
      '/readings',
      JSON.stringify({ kind: 'imei', device: IMEI, at: '2026-03-10T11:00:00Z', values: { temp: 99 } }),
    );
    assert.equal(late.json().rejected[0].reason, 'device is not known');
  });

  // proves lines/another-account
  it('200: open requests of the old account for the line fail, and it can make no new ones', async () => {
    const { world, moved, caller, db, done, ACCOUNT, NAMED, shown, MANAGED } = await nextScene();
    const call = await caller();
    const suspend = await call('POST', '/m2m/v1/devices/actions/suspend', {
      accountName: ACCOUNT,
      devices: NAMED,
    });
    await moved(MANAGED);
    await world.engine.settle();
    const [callback] = await db.many<{ payload: string }>(
      sql`select payload from callback_message where request_id = ${suspend.json().requestId}`,
    );
    assert.match(callback!.payload, /DeviceNotFound/);
    assert.equal((await shown()).state, 'active');
    const [again] = await done('suspend', { accountName: ACCOUNT, devices: NAMED });
    assert.equal(again!.status, 'Failed');
  });

  it('200: a suspension moves with it, and ends in the new account on time', async () => {
    const { world, db, moved, done, ACCOUNT, MANAGED, NAMED, shown, PROFILE } = await nextScene();
    await done('suspend', { accountName: ACCOUNT, devices: NAMED });
    assert.equal((await moved(MANAGED)).state, 'suspend');
    world.clock.holdAt(new Date(NOON.getTime() + 91 * 86_400_000));
    await world.engine.settle();
    assert.equal((await shown()).state, 'active');
    const rows = await db.many<{ account: string }>(sql`
      select account_name as account from callback_message where ecpd_id = ${PROFILE} and payload like '%Automatic resume%'`);
    assert.deepEqual(rows, [{ account: MANAGED }]);
  });

  it('200: is in the audit logs of both accounts, and a move to the same account changes nothing', async () => {
    const { moved, db, ACCOUNT, MANAGED, PROFILE } = await nextScene();
    const lines = () =>
      db.many<{ account: string; after: { accountName: string } }>(sql`
        select account_name as account, after from audit_entry where action = 'moveLine' and ecpd_id = ${PROFILE} order by account_name`);
    await moved(ACCOUNT);
    assert.deepEqual(await lines(), []);
    await moved(MANAGED);
    assert.deepEqual(
      (await lines()).map(({ account, after }) => [account, after.accountName]),
      [
        [ACCOUNT, MANAGED],
        [MANAGED, MANAGED],
      ],
    );
  });

  // proves lines/another-account
  it('200: a deactive line moves to another customer as a new line with only its identifiers', async () => {
    const { moved, deactivated, db, STRANGER, MDN, shown, PROFILE } = await nextScene();
    const before = await shown();
    await deactivated();
    const { accountName, state, servicePlan, labels, record, mdn } = await moved(STRANGER);
    assert.deepEqual([accountName, state, servicePlan, labels, mdn], [STRANGER, 'deactive', null, [], MDN]);
    assert.notEqual(record.id, before.record.id);
    assert.equal(record.customdata, undefined);
    assert.deepEqual(await db.many(sql`select from device where ecpd_id = ${PROFILE}`), []);
    assert.deepEqual(await db.many(sql`select from license_assignment where ecpd_id = ${PROFILE}`), []);
  });

  it('409: a line in use to another customer; 404: an unknown line or account; 400: no account', async () => {
    const { world, move, ownerOf, ACCOUNT, MANAGED, STRANGER, IMEI } = await nextScene();
    const codeOf = async (answer: ReturnType<typeof move>) => {
      const { statusCode, ...rest } = await answer;
      return [statusCode, rest.json().code];
    };
    assert.deepEqual(await codeOf(move(STRANGER)), [409, 'line_in_use']);
    assert.deepEqual(await codeOf(move('0000777777-00001')), [404, 'account_unknown']);
    assert.deepEqual(await codeOf(move(MANAGED, '990000000000052')), [404, 'device_unknown']);
    const empty = await world.operator('POST', `/devices/imei/${IMEI}/move`, '{}');
    assert.equal(empty.statusCode, 400, empty.body);
    assert.equal(await ownerOf(), ACCOUNT);
  });

  // proves lines/another-account
  it('an import moves none: 422', async () => {
    const { world, ownerOf, ACCOUNT, MANAGED, IMEI } = await nextScene();
    const document = { devices: [{ accountName: MANAGED, imei: IMEI }] };
    const answer = await world.operator('POST', '/import', JSON.stringify(document));
    assert.equal(answer.statusCode, 422);
    assert.match(answer.body, /belongs to a device of another account/);
    assert.equal(await ownerOf(), ACCOUNT);
  });
});

describe('POST /m2m/v1/devices/actions/activate', () => {
  // proves lines/another-account
  it('200: moves a line that is deactive in another account of the user, and activates it', async () => {
    const { activated, deactivated, ownerOf, MANAGED, shown } = await nextScene();
    await deactivated();
    const [result] = await activated();
    assert.deepEqual([result?.status, result?.account], ['Success', MANAGED]);
    assert.equal(await ownerOf(), MANAGED);
    const { state, servicePlan, labels } = await shown();
    assert.deepEqual([state, servicePlan, labels.length], ['active', 'P-5MB', 1]);
  });

  // proves lines/another-account
  it('200: a user without access to the old account does not find the line, and it stays', async () => {
    const { activated, deactivated, ownerOf, ACCOUNT, GUEST } = await nextScene();
    await deactivated();
    const [result] = await activated('P-5MB', GUEST);
    assert.equal(result?.faultResponse?.faultcode, 'DeviceService.REQUEST_FAILED.DeviceNotFound');
    assert.equal(await ownerOf(), ACCOUNT);
  });

  it('200: a line that is in use stays, and so does one that the plan does not support', async () => {
    const { activated, deactivated, ownerOf, ACCOUNT } = await nextScene();
    const [inUse] = await activated();
    assert.equal(inUse?.faultResponse?.faultcode, 'DeviceService.INPUT_INVALID.Device.Account.Invalid');
    await deactivated();
    const [unfit] = await activated('P-ROUTER');
    assert.ok(unfit?.faultResponse);
    assert.equal(await ownerOf(), ACCOUNT);
  });
});
