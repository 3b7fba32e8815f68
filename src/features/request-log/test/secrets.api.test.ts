import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operationsOf } from '../../../../test/fuzz/support/document.ts';
import { ACCOUNT, asUser, basic, bearer, CLIENT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY, type World } from '../../../../test/support/world.ts';

const MARKER = 'do-not-keep-this';
/** Members whose names contain one of these are secrets. */
const SECRET = /^(auth|pin|pwd)$|pass|secret|token|authorization|cookie|^operatorKey$/i;
const NAMES = [
  'password',
  'newPassword',
  'oldPassword',
  'clientSecret',
  'client_secret',
  'token',
  'sessionToken',
  'auth',
  'pin',
  'pwd',
  'userPwd',
  'basicAuth',
  'auth_code',
];
const ADDRESSES = [
  `http://user:${MARKER}@listener.example/x`,
  `https://${MARKER}@listener.example`,
  `https:/user:${MARKER}@listener.example`,
  `see amqp://user:${MARKER}@queue.example:1 and https://listener.example/hook?key=${MARKER}`,
];

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { headers } = await asUser(world);
const operations = operationsOf((await world.api.inject('/api/openapi.json')).json());

const textsOf = async (world: World, table: string) => {
  const rows = await world.ctx.db.many<{ text: string }>({
    text: `select l::text as text from ${table} l`,
    values: [],
  });
  return rows.map(({ text }) => text);
};

const everythingIn = async (world: World) => {
  await world.operator('GET', '/requests?limit=1');
  return textsOf(world, 'logged_call');
};

type Schema = { readonly properties?: Record<string, Schema>; readonly items?: Schema };
/** The names of all members that a body may have, at any depth. */
function* namesIn({ properties = {}, items }: Schema): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    yield name;
    yield* namesIn(schema);
  }
  if (items !== undefined) yield* namesIn(items);
}

describe('the log of requests', () => {
  it('keeps no secret of any operation, from its body at any depth, its path, its query or its headers', async () => {
    let planted = 0;
    const segments = ADDRESSES.flatMap((address) => [
      encodeURIComponent(address),
      encodeURIComponent(encodeURIComponent(address)),
      encodeURI(address).replace('?', '%3F'),
    ]);
    for (const { method, path, body } of operations) {
      if (path.startsWith('/console/')) continue;
      const own = [...namesIn((body ?? {}) as Schema)];
      const names = [...new Set([...NAMES, ...own.filter((name) => SECRET.test(name))])];
      const secrets = Object.fromEntries(names.map((name) => [name, MARKER]));
      const segment = segments[planted % segments.length]!;
      const url = `/api${path.replaceAll(/\{\w+\}/g, ({ length }) => (length % 2 === 0 ? ACCOUNT : segment))}/${planted % 3 === 0 ? segment : ''}?token=${MARKER}&clientSecret=${MARKER}&url=${encodeURIComponent(ADDRESSES[0]!)}&name=${encodeURIComponent(ADDRESSES[3]!)}`;
      const isForm = path.startsWith('/ts/');
      await world.api.inject({
        method: method as 'POST',
        url,
        headers: {
          ...headers,
          ...(path.startsWith('/operator/') && { authorization: `Bearer ${OPERATOR_KEY}` }),
          'webhook-secret': MARKER,
          cookie: `session=${MARKER}`,
        },
        ...(method !== 'GET' && {
          payload: isForm
            ? new URLSearchParams(secrets).toString()
            : JSON.stringify({
                accountName: ACCOUNT,
                url: ADDRESSES[0],
                name: ADDRESSES[1],
                ...secrets,
                inside: [{ ...secrets, list: [secrets, ADDRESSES] }],
              }),
        }),
      });
      planted += names.length;
    }
    const rows = [...(await everythingIn(world)), ...(await textsOf(world, 'audit_entry'))];
    assert.ok(planted > 100 && rows.length > 100);
    assert.deepEqual(
      rows.filter((row) => row.includes(MARKER)),
      [],
    );
  });

  // proves operating/secrets-in-logs
  it('keeps no name of a refused login, and neither do the other logs and the count of failures', async () => {
    const token = await bearer(world.api);
    const answer = await world.api.inject({
      method: 'POST',
      url: '/api/m2m/v1/session/login',
      headers: { authorization: `Bearer ${token}` },
      payload: { username: MARKER, password: 'x' },
    });
    assert.ok(answer.statusCode >= 400);
    await world.api.inject({
      method: 'POST',
      url: '/api/console/v1/sign-in',
      headers: { 'x-requested-by': 'console' },
      payload: { username: MARKER, password: 'x' },
    });
    const rows = [
      ...(await everythingIn(world)),
      ...(await textsOf(world, 'login_failure')),
      ...(await textsOf(world, 'audit_entry')),
    ];
    assert.equal((await textsOf(world, 'login_failure')).length, 2);
    assert.deepEqual(
      rows.filter((row) => row.includes(MARKER)),
      [],
    );
  });

  it('keeps no secret of any answer: tokens, sessions, keys, and secrets of clients and listeners', async () => {
    const world = await makeWorld();
    await world.import(SMALL_FLEET);
    const token = await bearer(world.api);
    const fresh = await asUser(world);
    const { key } = (await world.operator('POST', '/keys', { name: 'fresh', scopes: ['read'] })).json();
    const registered = await fresh.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {
      name: 'CarrierService',
      url: 'http://127.0.0.1:8099/hook',
      username: 'listener',
      password: MARKER,
    });
    const webhookSecret = registered.headers['webhook-secret'] as string;
    const rotated = (await world.operator('POST', `/clients/${CLIENT.clientId}/rotate`, {})).json();
    const secrets = [
      token,
      fresh.sessionToken,
      key,
      webhookSecret,
      rotated.clientSecret,
      MARKER,
      basic(CLIENT),
    ];
    const rows = await everythingIn(world);
    assert.deepEqual(new Set(secrets.map((secret) => typeof secret)), new Set(['string']), registered.body);
    for (const secret of secrets) {
      assert.deepEqual(
        rows.filter((row) => row.includes(secret)),
        [],
      );
    }
  });
});
