import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { token, sessionToken } = await asUser(world);

const read = async (account: string, session?: string) => {
  const answer = await world.api.inject({
    url: `/api/loc/v1/consents/${account}`,
    headers: { authorization: `Bearer ${token}`, ...(session !== undefined && { 'svc-m2m-token': session }) },
  });
  return [answer.statusCode, answer.json().errorCode, answer.json().errorMessage];
};
const refusal = (reason: string) => [400, 'INVALID_PARAMETER', `UWS verification failure (${reason})`];

describe('in the location area', () => {
  // proves 7.2/account-not-found
  it('400: an account of a path that does not exist', async () =>
    assert.deepEqual(await read('0000000000-00000', sessionToken), refusal('account not found')));

  // proves 7.2/session-expired refusals/session-errors
  it('400: a session that is absent, unknown or expired, each with its own message', async () => {
    assert.deepEqual(await read(ACCOUNT), refusal('Session token missing.'));
    const unknown = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
    assert.deepEqual(await read(ACCOUNT, unknown), refusal('Session token invalid.'));
    world.pass(20 * 60_000 + 1);
    assert.deepEqual(await read(ACCOUNT, sessionToken), refusal('The Session has expired.'));
  });
});
