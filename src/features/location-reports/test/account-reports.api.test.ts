import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, USER } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const user = await signIn(world, USER);
const { call } = await asUser(world);
const operator = await signIn(world);
const REPORTS = `/loc/v1/locationreports/${ACCOUNT}`;
const read = async (path = '') => {
  const [answer, byCookie] = [
    await call('GET', `${REPORTS}${path}`),
    await user.call('GET', `${REPORTS}${path}`),
  ];
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(byCookie.body, answer.body);
  return answer.json();
};
const create = async (body: object): Promise<string> => {
  world.pass(1_000);
  const answer = await call('POST', REPORTS, { cacheMode: 2, ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid;
};

describe('location reports', () => {
  it('200: are made of named devices, and show their progress, then their entries', async () => {
    const txid = await create({ deviceList: byImei(1, 2) });
    const [queued] = (await read()).reports;
    assert.deepEqual([queued.txid, queued.status, queued.waiting, queued.totalCount], [txid, 'QUEUED', 2, 2]);
    await world.engine.settle();
    const { status, located, failed, waiting, entries, next } = await read(`/report/${txid}`);
    assert.deepEqual([status, located, failed, waiting, next], ['COMPLETED', 2, 0, 0, undefined]);
    assert.equal(entries[0].pd.x, '30.01');
    assert.match(entries[0].deviceId, /^[0-9a-f-]{36}$/);
  });

  it('200: without a list cover every device that can be located', async () => {
    const txid = await create({});
    const { totalCount } = await read(`/report/${txid}`);
    // 25 plain ones, the one of the small fleet, one that is offline and one with a MEID.
    assert.equal(totalCount, 28);
    await world.engine.settle();
  });

  it('200: are made of devices by the ids of their records, and of none of another account', async () => {
    const { ids } = (await user.get(`/accounts/${ACCOUNT}/positions`)).json();
    assert.ok(ids.length >= 2);
    const txid = await create({ deviceIds: [...ids.slice(0, 2), '00000000-0000-4000-8000-000000000000'] });
    const { totalCount, entries } = await read(`/report/${txid}`);
    assert.equal(totalCount, 2);
    assert.deepEqual(
      entries.map(({ deviceId }: { deviceId: string }) => deviceId).toSorted(),
      ids.slice(0, 2).toSorted(),
    );
    await world.engine.settle();
    const none = await call('POST', REPORTS, { deviceIds: ['00000000-0000-4000-8000-000000000000'] });
    assert.equal(none.statusCode, 400);
  });

  it('400: are not made of a list that is null, empty or misspelt, which would locate every device', async () => {
    for (const slip of [
      { deviceList: null },
      { deviceList: [] },
      { devices: byImei(1) },
      { deviceIds: null },
      { deviceIds: [] },
    ]) {
      const made = await call('POST', REPORTS, slip);
      assert.equal(made.statusCode, 400, `${JSON.stringify(slip)} ${made.body}`);
    }
  });

  it('200: withhold a position whose consent was withdrawn', async () => {
    const txid = await create({ deviceList: byImei(3) });
    await world.engine.settle();
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(3)] }] });
    const [entry] = (await read(`/report/${txid}`)).entries;
    assert.deepEqual([entry.pd, entry.error.type], [{}, 'SVC CONSENT CHECK FAILED']);
  });

  it('200: come page by page, newest first, each once', async () => {
    const seen: string[] = [];
    let page = '?limit=2';
    while (page !== '') {
      const { reports, next } = await read(page);
      seen.push(...reports.map(({ createdAt }: { createdAt: string }) => createdAt));
      page = next === undefined ? '' : `?limit=2&page=${next}`;
    }
    assert.equal(new Set(seen).size, 4);
    assert.deepEqual(seen, seen.toSorted().toReversed());
  });

  it('200: are cancelled while they are queued; 400: and not afterwards', async () => {
    const txid = await create({ deviceList: byImei(4) });
    const cancel = () => call('DELETE', `${REPORTS}/report/${txid}`);
    assert.equal((await cancel()).statusCode, 200);
    assert.equal((await read()).reports[0].status, 'CANCELLED');
    assert.equal((await cancel()).statusCode, 400);
  });

  it('403: are not made by a key that may only read', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    assert.equal((await reader.call('GET', REPORTS)).statusCode, 200);
    const made = await reader.call('POST', REPORTS, { deviceList: byImei(5) });
    assert.deepEqual([made.statusCode, made.json().errorCode], [403, 'scope_missing']);
    assert.equal((await operator.call('POST', REPORTS, { deviceList: byImei(5) })).statusCode, 200);
  });
});
