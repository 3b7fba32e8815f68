import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { hashToken } from '../../../platform/crypto/token.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld({ limits: { livePollMs: 100 } });
const LOCATED = ['990000001000001', '990000001000002'];
await world.import({
  ...SMALL_FLEET,
  devices: [...SMALL_FLEET.devices, ...LOCATED.map((imei) => ({ accountName: ACCOUNT, imei }))],
});
const url = await world.api.listen({ host: '127.0.0.1', port: 0 });

/** What arrives on a stream, as text, and whether it has ended. */
async function watch({ cookie }: Browser, accountName: string) {
  const abort = new AbortController();
  after(() => abort.abort());
  const answer = await fetch(`${url}/api/console/v1/accounts/${accountName}/events`, {
    headers: { cookie },
    signal: abort.signal,
  });
  const seen = { status: answer.status, type: answer.headers.get('content-type'), text: '', ended: false };
  void (async () => {
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) seen.text += part;
    seen.ended = true;
  })().catch(() => {
    seen.ended = true;
  });
  return seen;
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(holds());
}

const post = (accountName: string) =>
  world.operator('POST', '/events', { accountName, serviceName: 'AlertService', payload: { a: 1 } });

describe('live events', () => {
  it('200: begin with a sign of life, and tell those who watch an account of its changes, not of others', async () => {
    const own = await watch(await signIn(world, USER), ACCOUNT);
    const other = await watch(await signIn(world, STRANGER_USER), STRANGER);
    await until(() => own.text.includes('event: ready') && other.text.includes('event: ready'));
    assert.match(own.type!, /^text\/event-stream/);
    assert.match(own.text, /^event: beat/);
    await post(ACCOUNT);
    await until(() => own.text.includes('{"topic":"callbacks"}'));
    assert.doesNotMatch(other.text, /callbacks/);
  });

  it('tell of positions to those who watch their account and to nobody else, also of late ones', async () => {
    const [own, other] = [
      await watch(await signIn(world, USER), ACCOUNT),
      await watch(await signIn(world, STRANGER_USER), STRANGER),
    ];
    await until(() => own.text.includes('event: ready') && other.text.includes('event: ready'));
    const told = () => own.text.split('"positions"').length - 1;
    for (const [n, at] of ['2026-01-04T12:00:00Z', '2026-01-03T12:00:00Z'].entries()) {
      const position = { kind: 'imei', device: LOCATED[n], at, lat: 30, lon: -90 };
      assert.equal((await world.operator('POST', '/positions', [position])).json().accepted, 1);
      await until(() => told() === n + 1);
    }
    await post(STRANGER);
    await until(() => other.text.includes('"callbacks"'));
    assert.doesNotMatch(other.text, /positions/);
  });

  it('tell of a request that begins and ends between two looks, each time', async () => {
    const own = await watch(await signIn(world, USER), ACCOUNT);
    await until(() => own.text.includes('event: ready'));
    const told = () => own.text.split('"requests"').length - 1;
    for (let n = 1; n <= 3; n++) {
      const before = told();
      // Written as it ends: no look can have met it while it was open.
      await world.ctx.db.exec(sql`
        insert into carrier_request (ecpd_id, account_name, request_id, operation, status, device_count, succeeded, body, created_at,
          created_by, ended_at)
        values ('9000001', ${ACCOUNT}, gen_random_uuid(), 'suspend', 'Success', 1, 1, '{}', ${world.ctx.now()}, 'ws-user',
          ${world.ctx.now()})`);
      await until(() => told() > before);
    }
  });

  it('do not prolong the session, because browsers come back by themselves', async () => {
    const browser = await signIn(world, USER);
    const session = hashToken(browser.cookie.split('=')[1]!);
    const used = await world.ctx.db.one<{ at: Date }>(sql`
      update console_session set last_used_at = last_used_at - interval '20 minutes' where token_hash = ${session}
      returning last_used_at as at`);
    assert.equal((await watch(browser, ACCOUNT)).status, 200);
    assert.deepEqual(
      await world.ctx.db.one(
        sql`select last_used_at as at from console_session where token_hash = ${session}`,
      ),
      used,
    );
  });

  it('end at sign-out', async () => {
    const browser = await signIn(world, USER);
    const seen = await watch(browser, ACCOUNT);
    assert.equal(seen.status, 200);
    await browser.send('POST', '/sign-out');
    await until(() => seen.ended);
  });

  it('end when the user is disabled', async () => {
    const seen = await watch(await signIn(world, STRANGER_USER), STRANGER);
    await world.operator('POST', `/users/${STRANGER_USER.username}/disable`);
    await until(() => seen.ended);
  });

  it("403: are refused for somebody else's account", async () => {
    assert.equal((await watch(await signIn(world, USER), STRANGER)).status, 403);
  });

  it('429: are ten at most for a session', async () => {
    const browser = await signIn(world);
    for (let i = 0; i < 10; i++) assert.equal((await watch(browser, ACCOUNT)).status, 200);
    assert.equal((await watch(browser, ACCOUNT)).status, 429);
  });
});
