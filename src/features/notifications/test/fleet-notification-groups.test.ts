import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findNotificationGroups } from '../sql-notification.ts';

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
  it('are exported as they were imported; an absent list stays, a given one replaces the old one', async () => {
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

  it('are refused with an invalid address or number, too many of them, an unknown profile, or twice', async () => {
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

// proves requests/unicode
describe('the name of a notification group in two Unicode forms', () => {
  const [composed, apart] = ['Bereitschaft Köln'.normalize('NFC'), 'Bereitschaft Köln'.normalize('NFD')];
  const stored = () =>
    world.ctx.db.many(sql`select name, emails, phones from notification_group order by name`);

  it('names one group, whichever form came first', async () => {
    await world.ctx.db.exec(sql`delete from notification_group`);
    await world.import({ notificationGroups: [{ ...group, name: apart }] });
    await world.import({ notificationGroups: [{ ecpdId: '9000001', name: composed, phones: [] }] });
    assert.deepEqual(await stored(), [{ name: composed, emails: group.emails, phones: [] }]);
    await world.import({ notificationGroups: [{ ecpdId: '9000001', name: apart, emails: [] }] });
    assert.deepEqual(await stored(), [{ name: composed, emails: [], phones: [] }]);
  });

  it('is refused if one document has both', async () => {
    const [again] = await refusals({ ...group, name: composed }, { ...group, name: apart });
    assert.deepEqual(again, {
      pointer: '/notificationGroups/1/name',
      detail: 'stands in the document twice',
    });
  });

  it('finds the group in either form, and returns the form of the query', async () => {
    await world.import({ notificationGroups: [{ ...group, name: composed }] });
    const found = await findNotificationGroups(world.ctx.db, '9000001', [composed, apart, 'nobody']);
    assert.deepEqual(
      new Map(found.map(({ name, emails }) => [name, emails])),
      new Map([composed, apart].map((name) => [name, group.emails])),
    );
  });
});
