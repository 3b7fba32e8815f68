import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { sql } from '../../../platform/db/sql.ts';
import { listWithheld } from '../index.ts';
import { toIntervals } from '../ledger/intervals.ts';
import { listLedger } from '../ledger/sql-ledger.ts';
import * as scene from './scene.ts';

const { call, db, pass, clock, deviceIdOf, readLedger, ...world } = await scene.makeScene();
const { TRUCK, BY_IMEI, TENANT } = scene;
const countRows = async () =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from consent_ledger`)).n;

describe('the consent ledger', () => {
  it('gives the same history from any time as from its beginning, and ends with what is in force', async () => {
    const random = randomFor('consents');
    const begin = clock.now();
    const [path, levels] = ['/loc/v1/consents', '/loc/v1/devicelocations/action/consents'];
    const accountName = ACCOUNT;
    const acts = [
      () => call('PUT', levels, { accountName, allDeviceConsent: random.between(0, 3) }),
      () =>
        call('POST', levels, {
          accountName,
          deviceList: [{ id: TRUCK.imei, kind: 'IMEI', consent: random.between(0, 3) }],
        }),
      () => call('POST', path, { accountName, allDevice: random.next() < 0.5 }),
      () => call('POST', path, { accountName, exclusion: [TRUCK.meid] }),
      () => call('POST', path, { accountName, exclusion: [TRUCK.imei] }),
      () => call('POST', path, { accountName, type: 'append', exclusion: [TRUCK.esn] }),
      () => call('DELETE', `${path}?accountName=${accountName}&deviceList=${TRUCK.imei}`),
      () => call('POST', path, { accountName, allDevice: false, exclusion: [] }),
      () => world.import({ consents: [{ accountName, level: random.between(0, 3) }] }),
      () => world.import({ exclusions: [{ accountName, imeis: [TRUCK.imei, '990000000000555'] }] }),
    ];
    const device = { ...TENANT, deviceId: await deviceIdOf('imei', TRUCK.imei) };
    const read = (from: Date, to: Date) => listLedger(db, device, { from, to, limit: 1_000 });
    for (let i = 0; i < 80; i++) {
      const answer = await random.pick(acts)();
      if ('statusCode' in answer) assert.equal(answer.statusCode, 200);
      if (random.next() < 0.7) pass(1_000);
      const [now, soon] = [clock.now(), new Date(clock.now().getTime() + 1)];
      const [held = assert.fail()] = toIntervals(await read(now, soon), now, soon);
      const mayBe = async (accuracy: 'coarse' | 'precise') =>
        (await listWithheld(db, TENANT, [device.deviceId], accuracy)).size === 0;
      assert.deepEqual([held.coarse, held.precise], [await mayBe('coarse'), await mayBe('precise')]);
    }
    pass(1_000);
    const end = clock.now();
    const whole = await read(new Date(begin.getTime() - 1), end);
    for (let at = begin.getTime(); at < end.getTime(); at += 1_000) {
      const from = new Date(at);
      assert.deepEqual(toIntervals(await read(from, end), from, end), toIntervals(whole, from, end));
    }
  });

  it('keeps entries in order of time, even if the clock of another node is behind', async () => {
    const list = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
    const setLevel = (allDeviceConsent: number) =>
      call('PUT', '/loc/v1/devicelocations/action/consents', { accountName: ACCOUNT, allDeviceConsent });
    await list({ allDevice: true });
    await setLevel(3);
    pass(-500);
    await list({ allDevice: false, exclusion: [] });
    await setLevel(0);
    pass(500);
    const device = { ...TENANT, deviceId: await deviceIdOf('imei', TRUCK.imei) };
    const [now, soon] = [clock.now(), new Date(clock.now().getTime() + 1)];
    const entries = await listLedger(db, device, { from: now, to: soon, limit: 10 });
    const [held] = toIntervals(entries, now, soon);
    assert.deepEqual([held?.coarse, held?.precise, held?.level], [true, true, 0]);
  });

  // proves consent/ledger
  it('rejects every update and delete, even of one row', async () => {
    await call('POST', '/loc/v1/consents', { accountName: ACCOUNT, exclusion: [BY_IMEI.imei] });
    const before = await readLedger();
    await assert.rejects(db.exec(sql`update consent_ledger set actor = 'nobody'`), /append-only/);
    await assert.rejects(
      db.exec(sql`delete from consent_ledger where entry_id = (select max(entry_id) from consent_ledger)`),
      /append-only/,
    );
    await assert.rejects(db.exec(sql`delete from consent_ledger`), /append-only/);
    assert.deepEqual(await readLedger(), before);
  });

  // proves consent/ledger
  it('is deleted with its account, and only with that one', async () => {
    const all = await countRows();
    const { length } = await readLedger();
    assert.ok(length > 0 && length < all);
    assert.equal((await world.operator('DELETE', `/accounts/${ACCOUNT}`)).statusCode, 200);
    assert.deepEqual([(await readLedger()).length, await countRows()], [0, all - length]);
  });

  it('is emptied by a reset of the clock', async () => {
    const answer = await world.operator('POST', '/clock', { reset: true });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(await countRows(), 0);
  });
});
