import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, STRANGER } from '../../../../test/support/fleet.ts';
import * as scene from './scene.ts';

const { call } = await scene.makeScene();
const { TRUCK } = scene;
const LIST = '/loc/v1/consents';
const LEVELS = '/loc/v1/devicelocations/action/consents';

describe('the account in a query', () => {
  for (const name of ['accountName', 'accountname', 'ACCOUNTNAME']) {
    it(`200, 401: is read as ${name}, and must belong to the caller`, async () => {
      await call('POST', LIST, { accountName: ACCOUNT, exclusion: [TRUCK.imei] });
      const remove = (account: string) =>
        call('DELETE', `${LIST}?${name}=${account}&deviceList=${TRUCK.imei}`);
      assert.equal((await remove(STRANGER)).statusCode, 401);
      assert.deepEqual((await remove(ACCOUNT)).json(), { success: true });
      assert.deepEqual((await call('GET', `${LIST}/${ACCOUNT}`)).json().exclusion, []);
      assert.equal((await call('GET', `${LEVELS}?${name}=${STRANGER}`)).statusCode, 401);
      assert.equal((await call('GET', `${LEVELS}?${name}=${ACCOUNT}`)).json().accountName, ACCOUNT);
    });
  }

  it('401: is read in the documented spelling if there are two', async () => {
    const answer = await call('GET', `${LEVELS}?accountname=${ACCOUNT}&accountName=${STRANGER}`);
    assert.equal(answer.statusCode, 401);
  });
});
