import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import * as scene from './scene.ts';

const { call, refused, readAll } = await scene.makeScene();
const { TRUCK, BY_IMEI, BY_MEID } = scene;
const PATH = '/loc/v1/consents';

describe('GET /loc/v1/consents/{accountName}/index/{startIndex}', () => {
  // proves 2.3/hasMoreData 2.3/totalCount 4.3/exclusions 4.3/rule-5 consent/reading-the-list
  it('200: starts at the given index, in a stable order, and is empty beyond the end', async () => {
    const exclusion = [BY_MEID.meid, TRUCK.imei, BY_IMEI.imei];
    assert.equal((await call('POST', PATH, { accountName: ACCOUNT, exclusion })).statusCode, 200);
    const page = async (index: number) => {
      const answer = (await call('GET', `${PATH}/${ACCOUNT}/index/${index}`)).json();
      return [answer.exclusion, answer.totalCount, answer.hasMoreData];
    };
    assert.deepEqual(await page(0), [[TRUCK.imei, BY_IMEI.imei, BY_MEID.meid], 3, false]);
    assert.deepEqual(await page(2), [[BY_MEID.meid], 3, false]);
    assert.deepEqual(await page(3), [[], 3, false]);
    assert.deepEqual(await page(9_999), [[], 3, false]);
  });

  // proves 4.3/exclusions
  it('400: refuses an index that is not an integer from 0 on', async () => {
    for (const index of ['x', '-1', '1.5', '99999999999', '%20', '0x1', '1e3', '+0', '-0']) {
      const answer = await call('GET', `${PATH}/${ACCOUNT}/index/${index}`);
      assert.equal(answer.statusCode, 400);
      assert.match(answer.json().errorMessage, /^Input Binding Error: startIndex /);
    }
  });

  it("400, 401: refuses accounts that are unknown, unregistered or not the caller's", async () => {
    for (const path of ['', '/index/0']) {
      const before = await readAll();
      const get = (accountName: string) => call('GET', `${PATH}/${accountName}${path}`);
      const unknown = [400, 'INVALID_PARAMETER', 'UWS verification failure (account not found)'] as const;
      await refused(get('1-1'), unknown, before);
      await refused(get(MANAGED), [400, 'INVALID_PARAMETER', 'Unregistered account'], before);
      await refused(get(STRANGER), [401, 'INVALID_ACCESS', 'Access policy denied the operation'], before);
    }
  });
});
