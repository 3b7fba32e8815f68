import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { postNotifications } from '../../notifications/index.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { ctx, operator } = world;
const { ecpdId } = (await operator('GET', `/accounts/${ACCOUNT}`)).json();
const post = (channel: 'mail' | 'sms', dedupeKey: string, to: readonly string[]) =>
  postNotifications(ctx, ecpdId, [
    { accountName: ACCOUNT, channel, to, subject: dedupeKey, text: `About <${dedupeKey}>`, dedupeKey },
  ]);
const setState = (dedupeKey: string, state: string) =>
  ctx.db.exec(sql`
    update notification_recipient r set state = ${state}, due_at = null from notification n
    where n.ecpd_id = r.ecpd_id and n.notification_id = r.notification_id and n.dedupe_key = ${dedupeKey}`);
const statesOf = async (path: string) =>
  Object.fromEntries(
    (await operator('GET', path))
      .json()
      .map(({ subject, state }: Record<string, string>) => [subject, state]),
  );

describe('the inbox of the operator', () => {
  it('filters by waiting, sent, captured and failed', async () => {
    for (const key of ['waits', 'sent', 'captured']) await post('mail', key, ['ada@example.com']);
    await post('mail', 'failed', ['no address']);
    await setState('sent', 'sent');
    await setState('captured', 'captured');
    const all = { waits: 'waiting', sent: 'sent', captured: 'captured', failed: 'failed' };
    assert.deepEqual(await statesOf('/mail'), all);
    assert.deepEqual(await statesOf('/mail?state=waiting'), { waits: 'waiting' });
    assert.deepEqual(await statesOf('/mail?state=sent'), { sent: 'sent' });
    assert.equal((await operator('GET', '/mail?state=lost')).statusCode, 400);
  });

  it('shows a mail to several people as waiting until the last of them was tried', async () => {
    await post('mail', 'two', ['ada@example.com', 'no address']);
    assert.equal((await statesOf('/mail'))['two'], 'waiting');
  });

  it('shows a mail as HTML, with its text escaped', async () => {
    const [mail] = (await operator('GET', '/mail?state=captured')).json();
    assert.equal(mail.text, 'About <captured>');
    assert.match(mail.html, /<p>About &lt;captured&gt;<\/p>/);
  });

  it('lists SMS in the same way', async () => {
    await post('sms', 'text', ['6975550100']);
    const [sms] = (await operator('GET', '/sms?state=waiting')).json();
    assert.deepEqual([sms.state, sms.text, sms.html], ['waiting', 'About <text>', undefined]);
  });
});
