import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { inTx } from '../../../platform/context/context.ts';
import { NOTIFICATIONS_MAX, type Notification } from '../notification.ts';
import { postNotifications } from '../post-notifications.ts';
import { findNotificationGroups } from '../sql-notification.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const ECPD = '9000001';
let key = 0;
const mail = (more: Partial<Notification> = {}): Notification => ({
  accountName: ACCOUNT,
  channel: 'mail',
  to: ['a@x.example'],
  subject: 'Usage',
  text: 'Usage is at 90 %.',
  dedupeKey: `key-${key++}`,
  ...more,
});
const post = (...notifications: Notification[]) => postNotifications(world.ctx, ECPD, notifications);
const listed = async (path: string) => (await world.operator('GET', path)).json();

describe('posting notifications', () => {
  it('adds one for each fact: a known key adds nothing, also within one call', async () => {
    const triggerId = 'once';
    const first = await post(mail({ dedupeKey: 'f-1', triggerId }), mail({ dedupeKey: 'f-1', triggerId }));
    const again = await post(mail({ dedupeKey: 'f-1', triggerId }), mail({ dedupeKey: 'f-2', triggerId }));
    assert.deepEqual([first.length, again.length], [1, 1]);
    assert.equal((await listed('/mail?triggerId=once')).length, 2);
  });

  it('matches a key only in its own profile and channel', async () => {
    const fact = { dedupeKey: 'f-3', triggerId: 'two-channels' };
    await post(mail(fact), mail({ ...fact, channel: 'sms', to: ['5551234567'] }));
    await postNotifications(world.ctx, '9000009', [mail({ ...fact, accountName: STRANGER })]);
    assert.equal((await listed('/mail?triggerId=two-channels')).length, 2);
    assert.equal((await listed('/sms?triggerId=two-channels')).length, 1);
  });

  it('commits or rolls back with its transaction', async () => {
    await assert.rejects(
      inTx(world.ctx, async (tx) => {
        await postNotifications(tx, ECPD, [mail({ triggerId: 'undone' })]);
        throw new Error('the fact did not come true');
      }),
    );
    assert.deepEqual(await listed('/mail?triggerId=undone'), []);
  });

  it('adds thousands in one statement, up to its limit', async () => {
    const many = Array.from({ length: 3_000 }, () =>
      mail({ triggerId: 'many', to: ['a@x.example', 'b@x.example'] }),
    );
    assert.equal((await post(...many)).length, 3_000);
    await assert.rejects(post(...Array.from({ length: NOTIFICATIONS_MAX + 1 }, () => mail())), RangeError);
  });

  it('adds nothing without recipients, and addresses each recipient once', async () => {
    assert.deepEqual(await post(mail({ to: [] })), []);
    await post(mail({ triggerId: 'twice', to: ['a@x.example', 'b@x.example', 'A@x.example'] }));
    assert.deepEqual((await listed('/mail?triggerId=twice'))[0].to, ['a@x.example', 'b@x.example']);
  });

  it('records an invalid address as failed, and notifies the others', async () => {
    const triggerId = 'half';
    await post(mail({ triggerId, to: ['a@x.example\r\nBcc: b@x.example', 'c@x.example'] }));
    await post(mail({ triggerId, channel: 'sms', to: ['555-1234', '5551234567'] }));
    const [ofMail] = await listed('/mail?triggerId=half');
    const [ofSms] = await listed('/sms?triggerId=half');
    const states = ({ recipients }: { recipients: { state: string; reason: string | null }[] }) =>
      recipients.map(({ state, reason }) => [state, reason]);
    assert.deepEqual(states(ofMail), [
      ['failed', 'is no mail address'],
      ['waiting', null],
    ]);
    assert.deepEqual(states(ofSms), [
      ['failed', 'is no phone number'],
      ['waiting', null],
    ]);
  });

  it('keeps a subject on one line, and cuts long texts', async () => {
    const triggerId = 'cut';
    await post(
      mail({ triggerId, subject: 'one\r\nBcc: x@y.example', text: 'a\u0000b\ud800' }),
      mail({ triggerId, channel: 'sms', to: ['5551234567'], text: `${'x'.repeat(455)}😀😀😀` }),
    );
    const [{ subject, text }] = await listed('/mail?triggerId=cut');
    assert.deepEqual([subject, text], ['one Bcc: x@y.example', 'ab\ufffd']);
    const [sms] = await listed('/sms?triggerId=cut');
    assert.equal(sms.text, `${'x'.repeat(455)}...`);
    assert.equal(sms.subject, null);
  });
});

describe('the lists of mail and SMS', () => {
  it('are newest first, by account and trigger, page by page', async () => {
    for (let n = 0; n < 5; n++) {
      await post(mail({ accountName: MANAGED, subject: `mail ${n}`, triggerId: n < 3 ? 'few' : 'other' }));
      if (n % 2 === 0) world.pass(1_000);
    }
    const path = `/mail?accountName=${MANAGED}&limit=2`;
    const subjects: string[] = [];
    let next: unknown;
    do {
      const answer = await world.operator('GET', next === undefined ? path : `${path}&page=${next}`);
      subjects.push(...answer.json().map(({ subject }: { subject: string }) => subject));
      next = answer.headers['x-next'];
    } while (next !== undefined);
    assert.deepEqual([...subjects].sort(), ['mail 0', 'mail 1', 'mail 2', 'mail 3', 'mail 4']);
    assert.deepEqual(new Set(subjects.slice(0, 2)), new Set(['mail 3', 'mail 4']));
    assert.equal((await listed(`/mail?accountName=${MANAGED}&triggerId=few`)).length, 3);
    assert.deepEqual(await listed(`/sms?accountName=${MANAGED}`), []);
    assert.deepEqual(await listed('/mail?accountName=0000000000-00000'), []);
  });

  it('show when, to whom, what and why', async () => {
    await post(mail({ triggerId: 'shape' }));
    const [entry] = await listed('/mail?triggerId=shape');
    const { id, recipients, html, ...contract } = entry;
    assert.deepEqual(contract, {
      at: world.ctx.now().toISOString(),
      accountName: ACCOUNT,
      to: ['a@x.example'],
      subject: 'Usage',
      text: 'Usage is at 90 %.',
      triggerId: 'shape',
      state: 'waiting',
    });
    assert.match(html, /<p>Usage is at 90 %\.<\/p>/);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(Object.keys(recipients[0]), [
      'to',
      'state',
      'attempts',
      'triedAt',
      'nextAttemptAt',
      'reason',
    ]);
  });

  it('400: refuse the page of another list, and a limit beyond 1,000', async () => {
    const page = Buffer.from(ACCOUNT).toString('base64url');
    assert.equal((await world.operator('GET', `/mail?page=${page}`)).statusCode, 400);
    const noDate = Buffer.from('2026-02-31T00:00:00.000Z x').toString('base64url');
    assert.equal((await world.operator('GET', `/mail?page=${noDate}`)).statusCode, 400);
    assert.equal((await world.operator('GET', '/sms?limit=1001')).statusCode, 400);
  });

  it('drop the entries of a deleted account', async () => {
    await post(mail({ accountName: MANAGED, triggerId: 'gone' }));
    assert.equal((await world.operator('DELETE', `/accounts/${MANAGED}`)).statusCode, 200);
    assert.deepEqual(await listed('/mail?triggerId=gone'), []);
  });
});

describe('notification groups', () => {
  it('are found by their names in their profile', async () => {
    const group = { ecpdId: ECPD, name: 'night', emails: ['n@x.example'], phones: ['5551234567'] };
    await world.import({ notificationGroups: [group, { ecpdId: '9000009', name: 'day' }] });
    assert.deepEqual(await findNotificationGroups(world.ctx.db, ECPD, ['night', 'day', 'none']), [
      { name: 'night', emails: ['n@x.example'], phones: ['5551234567'] },
    ]);
  });
});
