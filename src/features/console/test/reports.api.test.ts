import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, USER } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from './scene.ts';

const world = await makeWorld();
await world.import(LOCATION_FLEET);
const user = await signIn(world, USER);
const operator = await signIn(world);
const REPORTS = `/accounts/${ACCOUNT}/location-reports`;
const read = async (path = '') => {
  const answer = await user.get(`${REPORTS}${path}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const create = async (body: object): Promise<string> => {
  world.pass(1_000);
  const answer = await user.send('POST', REPORTS, { cacheMode: 2, ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().txid;
};

describe('location reports', () => {
  it('200: are made of named devices, tell how far they are, and have their entries when they are done', async () => {
    const txid = await create({ deviceList: byImei(1, 2) });
    const [queued] = (await read()).reports;
    assert.deepEqual([queued.txid, queued.status, queued.waiting, queued.totalCount], [txid, 'QUEUED', 2, 2]);
    await world.engine.settle();
    const { status, located, failed, waiting, entries, next } = await read(`/${txid}`);
    assert.deepEqual([status, located, failed, waiting, next], ['COMPLETED', 2, 0, 0, undefined]);
    assert.equal(entries[0].pd.x, '30.01');
    assert.match(entries[0].deviceId, /^[0-9a-f-]{36}$/);
  });

  it('200: without a list are of every device that can be located', async () => {
    const txid = await create({});
    const { totalCount } = await read(`/${txid}`);
    // 25 plain ones, the one of the small fleet, one that is offline and one with a MEID.
    assert.equal(totalCount, 28);
    await world.engine.settle();
  });

  it('200: are made of devices by the ids that pages know, and of none of another account', async () => {
    const { ids } = (await user.get(`/accounts/${ACCOUNT}/positions`)).json();
    assert.ok(ids.length >= 2);
    const txid = await create({ deviceIds: [...ids.slice(0, 2), '00000000-0000-4000-8000-000000000000'] });
    const { totalCount, entries } = await read(`/${txid}`);
    assert.equal(totalCount, 2);
    assert.deepEqual(
      entries.map(({ deviceId }: { deviceId: string }) => deviceId).toSorted(),
      ids.slice(0, 2).toSorted(),
    );
    await world.engine.settle();
    const none = await user.send('POST', REPORTS, { deviceIds: ['00000000-0000-4000-8000-000000000000'] });
    assert.equal(none.statusCode, 400);
  });

  it('400: are not made where the list is null, empty or misspelt, which would locate every device', async () => {
    for (const slip of [
      { deviceList: null },
      { deviceList: [] },
      { devices: byImei(1) },
      { deviceIds: null },
      { deviceIds: [] },
    ]) {
      const made = await user.send('POST', REPORTS, slip);
      assert.equal(made.statusCode, 400, `${JSON.stringify(slip)} ${made.body}`);
    }
  });

  it('200: withhold a position whose consent is gone', async () => {
    const txid = await create({ deviceList: byImei(3) });
    await world.engine.settle();
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(3)] }] });
    const [entry] = (await read(`/${txid}`)).entries;
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
    const cancel = () => user.call('DELETE', `/loc/v1/locationreports/${ACCOUNT}/report/${txid}`);
    assert.equal((await cancel()).statusCode, 200);
    assert.equal((await read()).reports[0].status, 'CANCELLED');
    assert.equal((await cancel()).statusCode, 400);
  });

  it('403: a key that may only read makes none', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    assert.equal((await reader.get(REPORTS)).statusCode, 200);
    const made = await reader.send('POST', REPORTS, { deviceList: byImei(5) });
    assert.deepEqual([made.statusCode, made.json().code], [403, 'scope_missing']);
    assert.equal((await operator.send('POST', REPORTS, { deviceList: byImei(5) })).statusCode, 200);
  });
});
