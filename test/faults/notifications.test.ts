import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listNotifications, postNotifications } from '../../src/features/notifications/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { eachRound, faultMoments, faultRounds, TOO_LATE } from '../support/fault-mode.ts';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { openMailServer } from '../support/mail-server.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { killForGood } from './support/kill-for-good.ts';

const ROUNDS = faultRounds(1);
const moments = faultMoments('notifications');
/** Messages that a worker may have sent without recording them: one on each of its connections. */
const UNDER_WAY_MAX = 5;

const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
await world.import(SMALL_FLEET);
// Notifications must be due by the real clock of the worker processes.
world.clock.release();
world.clock.reset();
const server = await openMailServer();

const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'worker', LINEKEEPER_SMTP_URL: server.url });

const post = (count: number, triggerId: string) =>
  postNotifications(
    world.ctx,
    '9000001',
    Array.from({ length: count }, (_, n) => ({
      accountName: ACCOUNT,
      channel: 'mail' as const,
      to: [`n${n}@x.example`],
      subject: 'Usage',
      text: 'Usage is at 90 %.',
      triggerId,
      dedupeKey: `${triggerId} ${n}`,
    })),
  );

async function areSent(triggerId: string): Promise<boolean> {
  const all = await listNotifications(world.ctx.db, { channel: 'mail', triggerId, limit: 1_000 });
  return all.every(({ recipients }) => recipients.every(({ state }) => state === 'sent'));
}
const allSent = (triggerId: string) => until('all are sent', () => areSent(triggerId));

const heardSince = (from: number) =>
  server.heard.slice(from).map(({ headers }) => headers.get('message-id')!.replace(/^<(.*)@.*$/, '$1'));

describe('mail', () => {
  it('that a killed worker had sent but not recorded is sent once more with the same Message-ID', async () => {
    const from = server.heard.length;
    const [first] = await crew.have(1);
    server.message = () => {
      // The server has the whole message, but the sender is dead before it gets the confirmation.
      first!.child.kill('SIGKILL');
      server.message = 'take';
      return 'take';
    };
    const [id] = await post(1, 'killed');
    await until('the first copy arrives', () => server.heard.length > from);
    await first!.stop('SIGKILL');
    const [second] = await crew.have(1);
    await allSent('killed');
    const metrics = await (await fetch(new URL('/metrics', second!.url))).text();
    assert.match(metrics, /^linekeeper_mail_attempts_total\{outcome="sent"\} 1$/m);
    assert.match(metrics, /^linekeeper_notification_backlog\{what="mailWaiting"\} 0$/m);
    assert.match(metrics, /^linekeeper_notification_backlog\{what="smsOldestSeconds"\} 0$/m);
    assert.deepEqual(heardSince(from), [id, id]);
  });

  it(`is never lost if workers are killed at random moments, ${ROUNDS} times, and is only duplicated if it was in progress`, async (t) => {
    let posted = 0;
    await eachRound(t, ROUNDS, async () => {
      const triggerId = `round-${posted++}`;
      const from = server.heard.length;
      const ids = await post(200, triggerId);
      const [first] = await crew.have(1);
      const enough = from + moments.between(1, 150);
      await until('some are sent', () => server.heard.length >= enough);
      await killForGood(world, first!);
      if (await areSent(triggerId)) return TOO_LATE;
      await crew.have(1);
      await allSent(triggerId);
      const heard = heardSince(from);
      assert.deepEqual(new Set(heard), new Set(ids), 'each arrived, and nothing else did');
      assert.ok(heard.length - ids.length <= UNDER_WAY_MAX, `${heard.length - ids.length} extra`);
    });
  });

  it('is neither lost nor duplicated when its worker stops on request', async () => {
    const from = server.heard.length;
    const ids = await post(300, 'asked');
    const [first] = await crew.have(1);
    await until('some are sent', () => server.heard.length >= from + 20);
    assert.equal(await first!.stop('SIGTERM'), 0);
    await crew.have(1);
    await allSent('asked');
    assert.deepEqual(heardSince(from).sort(), [...ids].sort());
  });

  it('is sent once each by two worker processes at the same time', async () => {
    const from = server.heard.length;
    await crew.have(2);
    const ids = await post(300, 'both');
    await allSent('both');
    assert.deepEqual(heardSince(from).sort(), [...ids].sort());
  });
});
