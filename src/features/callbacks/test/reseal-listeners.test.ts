import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import type { Ctx } from '../../../platform/context/context.ts';
import { generateSecretKey, openSecretBox } from '../../../platform/crypto/secret-box.ts';
import { sql } from '../../../platform/db/sql.ts';
import { createLog } from '../../../platform/telemetry/log.ts';
import { countSealedListeners, reportMissingKeys, resealListeners } from '../listeners/reseal-listeners.ts';

const URL = 'http://127.0.0.1:9000/hook';
const DAY_MS = 24 * 3_600_000;
const never = new AbortController().signal;
const keyNamed = (id: string) => generateSecretKey().replace('k1:', `${id}:`);

const [k1, k2] = [keyNamed('k1'), keyNamed('k2')];
const world = await makeWorld({ secretKey: k1 });
await world.import(SMALL_FLEET);

/** Listeners of two profiles that k1 has sealed, and no others; and the same service with other keys. */
async function makeScene() {
  world.clock.holdAt(START);
  await world.ctx.db.exec(sql`delete from callback_listener`);
  await world.import({
    listeners: [ACCOUNT, STRANGER].map((accountName) => ({ accountName, serviceName: 'Fota', url: URL })),
  });
  const { call } = await asUser(world);
  const registered = await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
    name: 'AlertService',
    url: URL,
    username: 'me',
    password: 'word',
  });
  const ctxWith = (...keys: string[]): Ctx => ({ ...world.ctx, secrets: openSecretBox(keys.join(',')) });
  const worldWith = async (...keys: string[]) => {
    const next = await makeWorld({ databaseUrl: world.databaseUrl, secretKey: keys.join(',') });
    next.clock.holdAt(world.clock.now());
    return next;
  };
  const rows = () =>
    world.ctx.db.many<Record<string, unknown>>(
      sql`select * from callback_listener order by account_name, service_name`,
    );
  const secret = String(registered.headers['webhook-secret']);
  return { ...world, call, ctxWith, worldWith, rows, secret };
}

describe('resealing listeners', () => {
  it('makes the old key unnecessary: everything opens with the new one alone, unchanged', async () => {
    const { ctxWith, worldWith, call, rows, secret } = await makeScene();
    const rotated = await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
      name: 'AlertService',
      url: URL,
      username: 'me',
      password: 'word',
      rotateSecret: true,
    });
    const before = await rows();
    const both = ctxWith(k2, k1);
    assert.deepEqual(await countSealedListeners(both), { current: 0, older: 3, missing: 0 });
    assert.equal(await resealListeners(both, never), 3);
    assert.deepEqual(await countSealedListeners(both), { current: 3, older: 0, missing: 0 });

    const alone = await worldWith(k2);
    const { call: again } = await asUser(alone);
    const [alerts] = (await again('GET', `/m2m/v1/callbacks/${ACCOUNT}`)).json();
    assert.deepEqual([alerts.username, alerts.password], ['me', 'word']);
    const [row] = await rows();
    const open = (column: string) =>
      alone.ctx.secrets.open(String(row![column]), `listener ${ACCOUNT} AlertService secret`);
    assert.equal(open('secret_sealed'), rotated.headers['webhook-secret']);
    assert.equal(open('previous_secret_sealed'), secret);
    const others = (list: Record<string, unknown>[]) =>
      list.map((each) => Object.entries(each).filter(([name]) => !name.endsWith('_sealed')));
    assert.deepEqual(others(await rows()), others(before), 'nothing else has changed');
  });

  it('is done once by a job, and repeating it changes nothing', async () => {
    const { worldWith, rows } = await makeScene();
    const next = await worldWith(k2, k1);
    await next.engine.addRecurring();
    next.pass(60_000);
    await next.engine.settle();
    const once = await rows();
    assert.ok(once.every((row) => String(row['secret_sealed']).startsWith('k2.')));
    next.pass(11 * 60_000);
    await next.engine.settle();
    assert.deepEqual(await rows(), once);
  });

  it('handles more listeners than fit into a batch', async () => {
    const { ctxWith, ctx } = await makeScene();
    await ctx.db.exec(sql`
      insert into callback_listener (ecpd_id, account_name, service_name, secret_sealed, created_at, updated_at)
      select '9000001', ${ACCOUNT}, 'made-' || n, 'k0.x', now(), now() from generate_series(1, 1200) n`);
    const both = ctxWith(k2, k1);
    assert.equal(await resealListeners(both, never), 3, 'a secret that cannot be opened holds up nothing');
    assert.deepEqual(await countSealedListeners(both), { current: 3, older: 0, missing: 1_200 });
  });

  it('skips a listener that is being changed, and one that has changed since it was read', async () => {
    const { ctxWith, ctx, call } = await makeScene();
    const both = ctxWith(k2, k1);
    await ctx.db.tx(async (tx) => {
      await tx.exec(
        sql`select 1 from callback_listener where ecpd_id = '9000001' and service_name = 'AlertService' for update`,
      );
      assert.equal(await resealListeners(both, never), 2);
    });
    // A slow secret box lets the registration happen between reading and writing.
    let changed: Promise<unknown> | undefined;
    const slow: Ctx = {
      ...both,
      secrets: {
        ...both.secrets,
        seal(plain, context) {
          changed ??= call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
            name: 'AlertService',
            url: URL,
            username: 'new',
          });
          return both.secrets.seal(plain, context);
        },
      },
      db: {
        ...both.db,
        exec: async (query) => {
          await changed;
          return both.db.exec(query);
        },
      },
    };
    assert.equal(await resealListeners(slow, never), 0);
    const [alerts] = (await call('GET', `/m2m/v1/callbacks/${ACCOUNT}`)).json();
    assert.equal(alerts.username, 'new');
    assert.equal(await resealListeners(both, never), 1);
  });

  it('deletes a rotated secret that no longer signs, whatever key sealed it', async () => {
    const { ctxWith, call, pass, rows } = await makeScene();
    await call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
      name: 'AlertService',
      url: URL,
      rotateSecret: true,
    });
    assert.equal(await resealListeners(ctxWith(k1), never), 0);
    pass(DAY_MS);
    assert.equal(await resealListeners(ctxWith(k1), never), 1);
    const [row] = await rows();
    assert.deepEqual([row!['previous_secret_sealed'], row!['previous_secret_until']], [null, null]);
  });
});

describe('a key that is not configured', () => {
  it('is reported at the start with the number of listeners that need it, and counted in the metrics', async () => {
    const { ctxWith, worldWith } = await makeScene();
    const logged: [fields: object, text: string][] = [];
    const log = createLog('error', {
      write: (line: string) => {
        const { keyId, listeners, msg } = JSON.parse(line);
        logged.push([{ keyId, listeners }, msg]);
      },
    });
    await reportMissingKeys({ ...ctxWith(k2, k1), log });
    assert.equal(logged.length, 0);
    await reportMissingKeys({ ...ctxWith(k2), log });
    assert.deepEqual(
      logged.map(([fields]) => fields),
      [{ keyId: 'k1', listeners: 3 }],
    );
    assert.match(logged[0]![1], /LINEKEEPER_SECRET_KEY lacks the key k1/);
    const { api } = await worldWith(k2);
    assert.match((await api.inject('/metrics')).body, /^linekeeper_sealed_listeners\{key="missing"\} 3$/m);
  });
});
