import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { deleteOldLines } from '../../consents/sql-past-line.ts';
import { findDeviceKey } from '../../devices/index.ts';
import { listPositions } from '../../locations/sql-position.ts';
import { NOON, openMoveWorld, type Scene } from './scene.ts';

const nextScene = await openMoveWorld();
const HOUR_MS = 3_600_000;
const listed = ({ IMEI, MDN }: Scene) => [{ id: IMEI, kind: 'imei', mdn: MDN }];

async function locate(scene: Scene, accountName: string, cacheMode = '0') {
  const call = await scene.caller();
  const asked = { accountName, accuracyMode: '0', cacheMode, deviceList: listed(scene) };
  return (await call('POST', '/loc/v1/locations', asked)).json();
}

const levelIn = async ({ db, IMEI }: Scene, accountName: string) =>
  (
    await db.maybe<{ level: number }>(sql`
      select level from device_consent c join device d using (ecpd_id, device_id)
      where c.account_name = ${accountName} and d.imei = ${IMEI}`)
  )?.level;

const excluded = async ({ caller, ACCOUNT, IMEI }: Scene) => {
  const answer = await (await caller())('POST', '/loc/v1/consents', {
    accountName: ACCOUNT,
    allDevice: false,
    type: 'append',
    exclusion: [IMEI],
  });
  assert.equal(answer.statusCode, 200, answer.body);
};

/** A report with the line's position from the network. */
async function reported(scene: Scene): Promise<string> {
  const answer = await (await scene.caller())('POST', '/loc/v1/locationreports', {
    accountName: scene.ACCOUNT,
    accuracyMode: '0',
    cacheMode: '2',
    deviceList: listed(scene),
  });
  assert.equal(answer.statusCode, 200, answer.body);
  await scene.world.engine.settle();
  return answer.json().txid;
}
const readReport = async ({ caller, ACCOUNT }: Scene, txid: string) => {
  const page = await (await caller())('GET', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}/index/0`);
  assert.equal(page.statusCode, 200, page.body);
  return page.json().devLocationList[0];
};

// proves lines/another-account lines/what-moves-along
describe('the past positions of a line', () => {
  // proves lines/consent-after-a-move
  it('stay behind: the new account gets neither cached positions nor late ones from before the move', async () => {
    const scene = await nextScene();
    const { ACCOUNT, MANAGED, IMEI } = scene;
    await locate(scene, ACCOUNT, '2');
    assert.ok((await locate(scene, ACCOUNT))[0].pd.x, 'it is cached');
    await scene.moved(MANAGED);
    assert.deepEqual(
      await scene.db.many(sql`
        select at from device_position where ecpd_id = ${scene.PROFILE}
        union all select at from position_history where ecpd_id = ${scene.PROFILE}`),
      [],
    );
    const late = await scene.world.operator(
      'POST',
      '/positions',
      JSON.stringify({ kind: 'imei', device: IMEI, at: '2026-03-10T11:00:00Z', lat: 1, lon: 1 }),
    );
    assert.equal(late.json().rejected[0].reason, 'device is not known');
    assert.equal((await locate(scene, MANAGED)).errorCode, 'CACHE_UNAVAILABLE');
    assert.ok((await locate(scene, MANAGED, '2'))[0].pd.x, 'the network is queried again');
  });

  it('stay in the reports of the old account', async () => {
    const scene = await nextScene();
    const { MANAGED } = scene;
    const txid = await reported(scene);
    const before = await readReport(scene, txid);
    assert.ok(before.pd.x, JSON.stringify(before));
    await scene.moved(MANAGED);
    assert.deepEqual(await readReport(scene, txid), before);
  });

  // proves lines/consent-after-a-move
  it('are withheld there if the line was excluded, even though it is in another account', async () => {
    const scene = await nextScene();
    const { MANAGED } = scene;
    const txid = await reported(scene);
    await excluded(scene);
    await scene.db.exec(sql`delete from excluded_device where ecpd_id = ${scene.PROFILE}`);
    await scene.moved(MANAGED);
    assert.match(JSON.stringify(await readReport(scene, txid)), /SVC CONSENT CHECK FAILED/);
  });

  it('are not revealed by a report that still waits for the line', async () => {
    const scene = await nextScene();
    const { MANAGED, IMEI } = scene;
    await scene.world.operator('PATCH', `/devices/imei/${IMEI}/simulation`, { online: false });
    const txid = await reported(scene);
    assert.match(JSON.stringify(await readReport(scene, txid)), /ABSENT SUBSCRIBER/);
    await scene.moved(MANAGED);
    await scene.world.operator('PATCH', `/devices/imei/${IMEI}/simulation`, { online: true });
    scene.world.clock.holdAt(new Date(NOON.getTime() + 2 * HOUR_MS));
    await scene.world.engine.settle();
    assert.match(JSON.stringify(await readReport(scene, txid)), /UNKNOWN SUBSCRIBER/);
  });
});

describe('consent to being located', () => {
  // proves lines/consent-after-a-move
  for (const [how, deny] of Object.entries({
    'excluded there': excluded,
    'of an account that excludes all': async ({ caller, ACCOUNT }: Scene) => {
      const body = { accountName: ACCOUNT, allDevice: true };
      assert.equal((await (await caller())('POST', '/loc/v1/consents', body)).statusCode, 200);
    },
    'denied there': async ({ world, ACCOUNT, IMEI }: Scene) =>
      world.import({
        consents: [{ accountName: ACCOUNT, level: 2, devices: [{ imei: IMEI, level: 3 }] }],
      }),
  }))
    it(`never loosens: a line that was ${how} has level 3 in its new account until that account sets another`, async () => {
      const scene = await nextScene();
      const { MANAGED } = scene;
      await deny(scene);
      await scene.moved(MANAGED);
      assert.equal(await levelIn(scene, MANAGED), 3);
      assert.equal((await locate(scene, MANAGED, '2'))[0]?.pd?.x, undefined);
      const allowed = await (await scene.caller())('PUT', '/loc/v1/devicelocations/action/consents', {
        accountName: MANAGED,
        allDeviceConsent: 0,
      });
      assert.ok(allowed.statusCode < 300, allowed.body);
      assert.ok((await locate(scene, MANAGED, '2'))[0]?.pd.x);
    });

  it('is denied at another customer too, and positions that must not be shown are erased', async () => {
    const scene = await nextScene();
    const { STRANGER } = scene;
    const txid = await reported(scene);
    await excluded(scene);
    await scene.deactivated();
    await scene.moved(STRANGER);
    assert.equal(await levelIn(scene, STRANGER), 3);
    assert.equal((await readReport(scene, txid)).pd.x, undefined);
  });

  /** To another customer, who allows everything and gives it another IMEI, and back. */
  async function returned(scene: Scene, meanwhile = async () => {}): Promise<Scene> {
    const { world, ACCOUNT, STRANGER, MDN } = scene;
    await scene.deactivated();
    await scene.moved(STRANGER);
    const IMEI = `98${scene.IMEI.slice(2)}`;
    const consents = [{ accountName: STRANGER, level: 0, devices: [{ imei: IMEI, level: 0 }] }];
    await world.import({ devices: [{ accountName: STRANGER, mdn: MDN, imei: IMEI }], consents });
    await meanwhile();
    await scene.moved(ACCOUNT, IMEI);
    assert.equal(
      (await world.operator('POST', `/devices/imei/${IMEI}/state`, { state: 'active' })).statusCode,
      200,
    );
    return { ...scene, IMEI };
  }
  const importedList = ({ world, ACCOUNT }: Scene, imeis: readonly string[]) =>
    world.import({ exclusions: [{ accountName: ACCOUNT, imeis }] });

  // proves consent/exclusions-outlast-other-customers
  it('stays withdrawn for an excluded line that returns from another customer with another IMEI, until it leaves the list', async () => {
    const [scene, inAdvance] = [await nextScene(), await nextScene()];
    await excluded(scene);
    await importedList(inAdvance, [inAdvance.IMEI]);
    // Then the entry names the IMEI only, as if it had been imported before the line.
    await inAdvance.db.exec(sql`delete from excluded_device where ecpd_id = ${inAdvance.PROFILE}`);
    for (const its of [scene, inAdvance]) {
      const line = await returned(its);
      assert.match(JSON.stringify(await locate(line, line.ACCOUNT, '2')), /Consent check failed/);
      const history = await line.world.operator('GET', `/devices/imei/${line.IMEI}/consents`);
      assert.equal(history.json().intervals.at(-1).coarse, false, history.body);
      const removed = await (await line.caller())(
        'DELETE',
        `/loc/v1/consents?accountName=${line.ACCOUNT}&deviceList=${line.IMEI}`,
      );
      assert.equal(removed.statusCode, 200, removed.body);
      assert.ok((await locate(line, line.ACCOUNT, '2'))[0]?.pd.x);
    }
  });

  // proves consent/exclusions-outlast-other-customers
  it('is the present one for a line that left the list while another customer had it', async () => {
    const scene = await nextScene();
    await excluded(scene);
    const line = await returned(scene, async () => void (await importedList(scene, [])));
    assert.ok((await locate(line, line.ACCOUNT, '2'))[0]?.pd.x);
  });

  it('is on record since the line came: its history shows nothing of the time before', async () => {
    const scene = await nextScene();
    const { MANAGED, IMEI } = scene;
    scene.world.clock.holdAt(new Date(NOON.getTime() + HOUR_MS));
    await scene.moved(MANAGED);
    scene.world.clock.holdAt(new Date(NOON.getTime() + 2 * HOUR_MS));
    const { from, intervals } = (await scene.world.operator('GET', `/devices/imei/${IMEI}/consents`)).json();
    assert.deepEqual([from, intervals.length], [new Date(NOON.getTime() + HOUR_MS).toISOString(), 1]);
  });

  it("is the new account's for a line that could be located", async () => {
    const scene = await nextScene();
    const { MANAGED } = scene;
    await scene.moved(MANAGED);
    assert.equal(await levelIn(scene, MANAGED), undefined);
  });
});

// proves location/erasure-follows-the-line
describe('an erasure by an identifier', () => {
  const erase = ({ world }: Scene, imei: string) =>
    world.operator('DELETE', `/devices/imei/${imei}/positions`);
  const later = ({ world }: Scene) => world.pass(HOUR_MS);
  /** Only the import gives a line another identifier. */
  const renamed = ({ world, ACCOUNT, MDN }: Scene, imei: string) =>
    world.import({ devices: [{ accountName: ACCOUNT, mdn: MDN, imei }] });

  it('finds the positions of a line that was given away and deleted there', async () => {
    for (const to of ['MANAGED', 'STRANGER'] as const) {
      const scene = await nextScene();
      const txid = await reported(scene);
      if (to === 'STRANGER') await scene.deactivated();
      await scene.moved(scene[to]);
      assert.equal((await scene.world.operator('DELETE', `/devices/imei/${scene.IMEI}`)).statusCode, 200);
      assert.ok((await readReport(scene, txid)).pd.x, 'the account that had it keeps its positions');
      assert.equal((await erase(scene, scene.IMEI)).statusCode, 200);
      const { pd, error } = await readReport(scene, txid);
      assert.deepEqual([pd, error.type], [{}, 'SVC DEVICE LOCATION DATA UNAVAILABLE']);
    }
  });

  it('covers the time in which a line had it, and no other time of that line', async () => {
    const scene = await nextScene();
    const [other, before] = [`98${scene.IMEI.slice(2)}`, await reported(scene)];
    later(scene);
    await renamed(scene, other);
    later(scene);
    const after = await reported({ ...scene, IMEI: other });
    assert.equal((await erase(scene, scene.IMEI)).statusCode, 200);
    assert.equal((await readReport(scene, before)).pd.x, undefined);
    assert.ok((await readReport(scene, after)).pd.x);
    assert.equal((await erase(scene, other)).statusCode, 200);
    assert.equal((await readReport(scene, after)).pd.x, undefined);
  });

  it('is refused if no device ever had it', async () =>
    assert.equal((await erase(await nextScene(), '980000000000000')).statusCode, 404));
});

// proves location/lines-that-left
describe('what the old account keeps', () => {
  it('is withheld when nothing tells any more what it may show', async () => {
    const scene = await nextScene();
    const txid = await reported(scene);
    await scene.moved(scene.MANAGED);
    assert.equal(await deleteOldLines(scene.db, NOON, 100), 0);
    assert.ok((await readReport(scene, txid)).pd.x);
    while ((await deleteOldLines(scene.db, new Date(NOON.getTime() + 1), 1)) > 0);
    assert.equal((await readReport(scene, txid)).pd.x, undefined);
  });

  it('does not include positions of the time after, even for a request that found the line before', async () => {
    const scene = await nextScene();
    const { db, MANAGED, ACCOUNT, IMEI } = scene;
    await scene.moved(MANAGED);
    await locate(scene, MANAGED, '2');
    const line = (await findDeviceKey(db, { kind: 'imei', value: IMEI }))!;
    const read = (accountName: string) =>
      listPositions(db, { ...line, accountName: accountName as typeof line.accountName }, [line.deviceId], {
        accuracy: 'coarse',
        notBefore: undefined,
      });
    assert.deepEqual([(await read(ACCOUNT)).length, (await read(MANAGED)).length], [0, 1]);
  });
});
