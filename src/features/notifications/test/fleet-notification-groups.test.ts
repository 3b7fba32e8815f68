import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import({ profiles: [{ ecpdId: '9000001' }, { ecpdId: '9000002' }] });

const refusals = async (...notificationGroups: object[]) =>
  (await world.operator('POST', '/import', { notificationGroups })).json().errors;
const group = {
  ecpdId: '9000001',
  name: 'night shift',
  emails: ['a@b.example', 'c@d.example'],
  phones: ['5551234567'],
};

describe('notification groups of the fleet document', () => {
  it('come out as they went in; a list that is absent stays, one that is given replaces', async () => {
    await world.import({ notificationGroups: [group, { ...group, ecpdId: '9000002', phones: [] }] });
    await world.import({
      notificationGroups: [{ ecpdId: '9000001', name: 'night shift', emails: ['x@y.example'] }],
    });
    const { notificationGroups } = (await world.operator('GET', '/export')).json();
    assert.deepEqual(notificationGroups, [
      { ...group, emails: ['x@y.example'] },
      { ...group, ecpdId: '9000002', phones: [] },
    ]);
    await world.import({ notificationGroups });
    assert.deepEqual((await world.operator('GET', '/export')).json().notificationGroups, notificationGroups);
  });

  it('are refused with what is no address or number, too many of them, no profile, or twice', async () => {
    assert.equal(
      (await refusals({ ...group, emails: ['nobody'] }))[0].pointer,
      '/notificationGroups/0/emails/0',
    );
    assert.equal(
      (await refusals({ ...group, phones: ['555-1234567'] }))[0].pointer,
      '/notificationGroups/0/phones/0',
    );
    assert.equal(
      (await refusals({ ...group, phones: Array(1_001).fill('5551234567') }))[0].pointer,
      '/notificationGroups/0/phones',
    );
    assert.equal((await refusals({ ...group, ecpdId: '1' }))[0].detail, 'names no profile');
    assert.equal((await refusals(group, group))[0].pointer, '/notificationGroups/1/name');
  });
});
