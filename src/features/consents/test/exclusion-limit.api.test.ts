import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { makeScene } from './scene.ts';

const { call, ...world } = await makeScene();
const post = (body: object) => call('POST', '/loc/v1/consents', { accountName: ACCOUNT, ...body });
const read = async () => (await call('GET', `/loc/v1/consents/${ACCOUNT}`)).json();
const succeeds = async (answer: ReturnType<typeof call>) =>
  assert.deepEqual([(await answer).statusCode, (await answer).json()], [200, { success: true }]);

describe('the limit of 2,000', () => {
  const imeis = Array.from({ length: 2_004 }, (_, i) => String(880_000_000_000_000 + i));

  // proves 4.3/rule-2 8/excluded-devices 8/exclusion-answer consent/2-000-exclusions
  it('applies to the list after an append, and holds for concurrent appends', async () => {
    await world.import({ devices: imeis.map((imei) => ({ accountName: ACCOUNT, imei })) });
    await succeeds(post({ exclusion: imeis.slice(0, 1_996) }));
    const answers = await Promise.all(
      imeis.slice(1_996).map((imei) => post({ type: 'append', exclusion: [imei] })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
    assert.deepEqual(statuses, [200, 200, 200, 200, 400, 400, 400, 400]);
    const over = answers.find(({ statusCode }) => statusCode === 400)?.json();
    assert.deepEqual(over, {
      errorCode: 'PARAMETER_ERROR',
      errorMessage: 'Max exclusion devices over limit',
    });
    const { totalCount, exclusion, hasMoreData } = await read();
    assert.deepEqual([totalCount, exclusion.length, hasMoreData], [2_000, 2_000, false]);
  });

  it('applies to one list: after concurrent replacements, only the last one remains', async () => {
    for (let round = 0; round < 5; round++) {
      const some = imeis.slice(round * 8, round * 8 + 8);
      await Promise.all(some.map((imei) => succeeds(post({ exclusion: [imei] }))));
      const { exclusion } = await read();
      assert.ok(exclusion.length === 1 && some.includes(exclusion[0]), String(exclusion));
    }
    await succeeds(post({ exclusion: imeis.slice(0, 2_000) }));
  });

  it('allows an already listed device to be appended to a full list', async () => {
    await succeeds(post({ type: 'append', exclusion: [imeis[0]!] }));
    assert.equal((await read()).totalCount, 2_000);
  });

  it('refuses to remove a device if the other devices of its entry would not fit into the list one by one', async () => {
    const [shared, ...rest] = imeis.slice(0, 2_000);
    const importAs = (meid: string, imei: string) =>
      world.import({ devices: [{ accountName: ACCOUNT, meid, imei }] });
    const [first, second, third] = ['A0000012345501', 'A0000012345502', 'A0000012345503'] as const;
    assert.equal((await world.operator('DELETE', `/devices/imei/${shared}`)).statusCode, 200);
    for (const meid of [first, second]) {
      await importAs(meid, shared!);
      await succeeds(post({ exclusion: [shared!, ...rest] }));
      await importAs(meid, `8810000000000${meid.slice(-2)}`);
    }
    await importAs(third, shared!);
    const remove = (id: string) => call('DELETE', `/loc/v1/consents?accountName=${ACCOUNT}&deviceList=${id}`);
    assert.equal((await remove(third)).statusCode, 400);
    assert.equal((await read()).totalCount, 2_000);
    await succeeds(remove(rest[0]!));
    await succeeds(remove(third));
    assert.equal((await read()).totalCount, 2_000);
  });
});
