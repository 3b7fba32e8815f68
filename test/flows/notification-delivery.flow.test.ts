import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Notification, postNotifications, type Sender } from '../../src/features/notifications/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { openMailServer } from '../support/mail-server.ts';
import { makeWorld, START } from '../support/world.ts';

const ECPD = '9000001';
const MINUTE_MS = 60_000;

interface Listed {
  readonly id: string;
  readonly text: string;
  readonly recipients: {
    readonly to: string;
    readonly state: string;
    readonly attempts: number;
    readonly nextAttemptAt: string | null;
    readonly reason: string | null;
  }[];
}

async function makeScene(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = await makeWorld(options);
  if (options.databaseUrl === undefined) await world.import(SMALL_FLEET);
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
  const list = async (channel = 'mail'): Promise<Listed[]> =>
    (await world.operator('GET', `/${channel}`)).json();
  /** `to state attempts` of every recipient, newest notification first. */
  const states = async (channel = 'mail') =>
    (await list(channel)).flatMap(({ recipients }) =>
      recipients.map(({ to, state, attempts }) => `${to} ${state} ${attempts}`),
    );
  const advance = async (duration: string) => {
    const answer = await world.operator('POST', '/clock', { advance: duration });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json() as { now: string; ran: number };
  };
  return { ...world, mail, post, list, states, advance };
}

const withServer = async () => {
  const server = await openMailServer();
  return { server, ...(await makeScene({ env: { LINEKEEPER_SMTP_URL: server.url } })) };
};

describe('without a mail server or SMS gateway', () => {
  it('a sandbox captures', async () => {
    const { post, mail, notifier, states } = await makeScene();
    await post(mail(), mail({ channel: 'sms', to: ['5551234567'] }));
    assert.equal(await notifier.settle(), 2);
    assert.deepEqual(await states(), ['a@x.example captured 1']);
    assert.deepEqual(await states('sms'), ['5551234567 captured 1']);
    assert.equal(notifier.counts.mail.captured, 1);
  });

  it('production records that nothing was sent and why, and leaves nothing waiting', async () => {
    const { post, mail, notifier, list } = await makeScene({ settings: { sandbox: false } });
    await post(mail(), mail({ channel: 'sms', to: ['5551234567'] }));
    await notifier.settle();
    for (const [channel, setting] of [
      ['mail', 'LINEKEEPER_SMTP_URL'],
      ['sms', 'LINEKEEPER_SMS_URL'],
    ] as const) {
      const [{ state, reason } = assert.fail()] = (await list(channel))[0]!.recipients;
      assert.deepEqual([state, reason], ['failed', `${setting} is not set`]);
      assert.equal(notifier.counts[channel].unconfigured, 1);
    }
    assert.equal(await notifier.nextDueAt(), undefined);
  });
});

describe('a mail', () => {
  it('reaches each recipient once, with its own Message-ID', async () => {
    const { server, post, mail, notifier, states } = await withServer();
    const ids = await post(mail(), mail({ to: ['b@x.example', 'c@x.example'] }));
    await notifier.settle();
    await notifier.settle();
    assert.deepEqual(
      server.heard.map(({ headers }) => headers.get('message-id')).sort(),
      ids.map((id) => `<${id}@localhost>`).sort(),
    );
    assert.deepEqual(
      new Set(await states()),
      new Set(['b@x.example sent 1', 'c@x.example sent 1', 'a@x.example sent 1']),
    );
  });

  it('is tried again only for recipients the server defers, and fails only for those it rejects', async () => {
    const { server, post, mail, notifier, states, advance, list } = await withServer();
    await post(mail({ to: ['a@x.example', 'defer@x.example', 'reject@x.example'] }));
    await notifier.settle();
    assert.deepEqual(await states(), [
      'a@x.example sent 1',
      'defer@x.example waiting 1',
      'reject@x.example failed 1',
    ]);
    const [{ recipients } = assert.fail()] = await list();
    assert.equal(Date.parse(recipients[1]?.nextAttemptAt ?? ''), START.getTime() + MINUTE_MS);
    assert.match(recipients[2]?.reason ?? '', /^550 5\.1\.1/);
    await advance('PT1M');
    assert.deepEqual(server.asked, ['a@x.example', 'defer@x.example', 'reject@x.example', 'defer@x.example']);
    assert.deepEqual((await states())[1], 'defer@x.example waiting 2');
  });

  it('fails after a day of being deferred, in eight attempts, all of which a move of the clock runs', async () => {
    const { server, post, mail, states, advance, list } = await withServer();
    await post(mail({ to: ['defer@x.example'] }));
    await advance('P1D');
    assert.deepEqual(await states(), ['defer@x.example failed 8']);
    assert.equal(server.asked.length, 8);
    const [{ recipients } = assert.fail()] = await list();
    assert.deepEqual(
      [recipients[0]?.nextAttemptAt, recipients[0]?.reason],
      [null, '450 4.2.0 greylisted, come back'],
    );
  });

  it('waits for a server that is down, and is sent when it is back', async () => {
    const { server, post, mail, notifier, states, advance } = await withServer();
    await server.close();
    await post(...Array.from({ length: 20 }, () => mail()));
    await notifier.settle();
    assert.deepEqual(new Set(await states()), new Set(['a@x.example waiting 1']));
    const back = await openMailServer({ port: server.port });
    await advance('PT1M');
    assert.deepEqual(new Set(await states()), new Set(['a@x.example sent 2']));
    assert.equal(back.heard.length, 20);
  });

  it('does not keep others from being sent if its connection breaks', async () => {
    const { server, post, mail, notifier, states } = await withServer();
    server.message = (text) => (text.includes('breaks') ? 'drop after' : 'take');
    const others = Array.from({ length: 10 }, () => mail({ to: ['b@x.example'] }));
    await post(mail({ text: 'breaks' }), ...others, mail({ text: 'breaks' }));
    await notifier.settle();
    assert.equal((await states()).filter((state) => state === 'b@x.example sent 1').length, 10);
  });

  it('is sent again with the same Message-ID if the connection broke after it was accepted', async () => {
    const { server, post, mail, notifier, advance } = await withServer();
    await post(mail());
    server.message = 'drop after';
    await notifier.settle();
    server.message = 'take';
    await advance('PT1M');
    const ids = server.heard.map(({ headers }) => headers.get('message-id'));
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
  });
});

describe('an SMS', () => {
  it('is sent through the gateway, separately for each number', async () => {
    const gateway = await openListener();
    const { post, mail, notifier, states, advance } = await makeScene({
      env: { LINEKEEPER_SMS_URL: gateway.url },
    });
    gateway.answer = 503;
    await post(mail({ channel: 'sms', to: ['5551234567', '5557654321'] }));
    await notifier.settle();
    assert.deepEqual(await states('sms'), ['5551234567 waiting 1', '5557654321 waiting 1']);
    gateway.answer = 200;
    await advance('PT1M');
    assert.deepEqual(await states('sms'), ['5551234567 sent 2', '5557654321 sent 2']);
    assert.equal(new Set(gateway.heard.map(({ body }) => body['id'])).size, 2);
    gateway.answer = 400;
    await post(mail({ channel: 'sms', to: ['5550000000'] }));
    await notifier.settle();
    assert.equal((await states('sms'))[0], '5550000000 failed 1');
  });
});

describe('while the service runs', () => {
  it('a notification is sent at once', async () => {
    const { server, post, mail, notifier } = await withServer();
    notifier.start();
    await post(mail());
    const until = Date.now() + 60_000;
    while (server.heard.length === 0 && Date.now() < until) await sleep(10);
    assert.equal(server.heard.length, 1);
  });

  it('two workers send each notification once', async () => {
    const { server, databaseUrl, post, mail, notifier, states } = await withServer();
    const other = await makeScene({ databaseUrl, env: { LINEKEEPER_SMTP_URL: server.url } });
    notifier.start();
    other.notifier.start();
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) {
      ids.push(...(await post(...Array.from({ length: 10 }, () => mail()))));
      ids.push(...(await postNotifications(other.ctx, '9000009', [other.mail({ accountName: STRANGER })])));
    }
    const until = Date.now() + 60_000;
    while ((await states()).some((state) => !state.includes(' sent ')) && Date.now() < until) await sleep(50);
    const heard = server.heard.map(({ headers }) => headers.get('message-id'));
    assert.deepEqual([...heard].sort(), ids.map((id) => `<${id}@localhost>`).sort());
  });

  it('a mail server that hangs does not delay SMS', async () => {
    const { server, post, mail, notifier, states } = await withServer();
    server.message = 'hang';
    notifier.start();
    await post(...Array.from({ length: 20 }, () => mail()), mail({ channel: 'sms', to: ['5551234567'] }));
    const until = Date.now() + 60_000;
    while ((await states('sms'))[0] !== '5551234567 captured 1' && Date.now() < until) await sleep(10);
    assert.deepEqual(await states('sms'), ['5551234567 captured 1']);
  });

  it('a worker that has lost its lane does not record what it sent', async () => {
    const sending = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slow: Sender = {
      atOnce: 1,
      recipientsMax: 1,
      async send({ to }) {
        sending.resolve();
        await answer.promise;
        return to.map(() => ({ kind: 'sent' }));
      },
    };
    const { post, mail, notifier, states, ctx } = await makeScene({ ways: { mail: slow } });
    await post(mail());
    const settled = notifier.settle({ nr: 1, until: ctx.now(), signal: AbortSignal.timeout(2_000) });
    await sending.promise;
    await ctx.db.exec(sql`update notification_lane set lease_token = ${randomUUID()}`);
    answer.resolve();
    await settled;
    assert.deepEqual(await states(), ['a@x.example waiting 0']);
  });
});

describe('retention', () => {
  it('deletes notifications older than its days, except waiting ones', async () => {
    const { post, mail, notifier, engine, list, pass, ctx } = await makeScene();
    await post(mail({ text: 'old' }));
    await notifier.settle();
    pass(20 * 24 * 60 * MINUTE_MS);
    await post(mail({ text: 'newer' }));
    await notifier.settle();
    await engine.addRecurring();
    pass(11 * 24 * 60 * MINUTE_MS);
    await engine.settle();
    assert.deepEqual(
      (await list()).map(({ text }) => text),
      ['newer'],
    );
    assert.equal(
      (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from notification_recipient`)).n,
      1,
    );
  });
});
