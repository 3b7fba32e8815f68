import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

// proves requests/unicode
describe('the name of a notification group, written in two ways of Unicode', () => {
  const [composed, apart] = ['Bereitschaft Köln'.normalize('NFC'), 'Bereitschaft Köln'.normalize('NFD')];
  const stored = () =>
    world.ctx.db.many(sql`select name, emails, phones from notification_group order by name`);

  it('means one group, whichever came first', async () => {
    await world.ctx.db.exec(sql`delete from notification_group`);
    await world.import({ notificationGroups: [{ ...group, name: apart }] });
    await world.import({ notificationGroups: [{ ecpdId: '9000001', name: composed, phones: [] }] });
    assert.deepEqual(await stored(), [{ name: composed, emails: group.emails, phones: [] }]);
    await world.import({ notificationGroups: [{ ecpdId: '9000001', name: apart, emails: [] }] });
    assert.deepEqual(await stored(), [{ name: composed, emails: [], phones: [] }]);
  });

  it('is refused twice in one document', async () => {
    const [again] = await refusals({ ...group, name: composed }, { ...group, name: apart });
    assert.deepEqual(again, {
      pointer: '/notificationGroups/1/name',
      detail: 'stands in the document twice',
    });
  });

  it('finds the group in either, as it was asked for', async () => {
    await world.import({ notificationGroups: [{ ...group, name: composed }] });
    const found = await findNotificationGroups(world.ctx.db, '9000001', [composed, apart, 'nobody']);
    assert.deepEqual(
      new Map(found.map(({ name, emails }) => [name, emails])),
      new Map([composed, apart].map((name) => [name, group.emails])),
    );
  });

  it('is kept in one way only, whoever writes it', () =>
    assert.rejects(
      world.ctx.db.exec(sql`
        insert into notification_group (ecpd_id, name, emails, phones) values ('9000001', ${apart}, '{}', '{}')`),
      /notification_group_name_check/,
    ));

  it('made one group of the members of both where both were in use already', async () => {
    const text = await readFile('migrations/0078_notifications__group-names.sql', 'utf8');
    await world.ctx.db.exec(sql`delete from notification_group`);
    await world.ctx.db.tx(async (db) => {
      await db.exec(sql`alter table notification_group drop constraint notification_group_name_check`);
      await db.exec(sql`
        insert into notification_group (ecpd_id, name, emails, phones) values
          ('9000001', ${composed}, '{a@b.example,c@d.example}', '{}'),
          ('9000001', ${apart}, '{c@d.example,e@f.example}', '{5551234567}'),
          ('9000002', ${apart}, '{g@h.example}', '{}'), ('9000002', 'plain', '{}', '{}')`);
      for (const statement of text.split(/;\n/)) await db.exec({ text: statement, values: [] });
    });
    const groups = await world.ctx.db.many(sql`
      select ecpd_id as "ecpdId", name, array(select unnest(emails) order by 1) as emails, phones
      from notification_group order by ecpd_id, name`);
    assert.deepEqual(groups, [
      {
        ecpdId: '9000001',
        name: composed,
        emails: ['a@b.example', 'c@d.example', 'e@f.example'],
        phones: ['5551234567'],
      },
      { ecpdId: '9000002', name: composed, emails: ['g@h.example'], phones: [] },
      { ecpdId: '9000002', name: 'plain', emails: [], phones: [] },
    ]);
  });
});
