import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, bearer, logIn, SMALL_FLEET, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { BROWSER, signIn, trySignIn } from './scene.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { username, password } = USER;

describe('signing in', () => {
  it('200: sets a cookie that scripts cannot read, other sites do not send, and only this service gets', async () => {
    const answer = await trySignIn(world, { username, password });
    assert.equal(answer.statusCode, 200, answer.body);
    const cookie = String(answer.headers['set-cookie']);
    assert.match(
      cookie,
      /^linekeeper_session=[\w-]{43}; Max-Age=43200; Path=\/api; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('200: the cookie is for the whole host where the service hangs at no path of its own', async () => {
    const { databaseUrl } = world;
    const { api } = await makeWorld({ databaseUrl, env: { LINEKEEPER_BASE_PATH: '/' } });
    const answer = await api.inject({
      method: 'POST',
      url: '/console/v1/sign-in',
      headers: BROWSER,
      payload: { username, password },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.match(String(answer.headers['set-cookie']), /; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  // proves operating/console-cookie
  for (const [what, settings, forwarded, isSecure] of [
    ['in production, whatever the proxy says', { LINEKEEPER_MODE: 'production' }, 'http', true],
    ['where the setting asks for it', { LINEKEEPER_CONSOLE_SECURE: 'on' }, 'http', true],
    ['where the call came by TLS', { LINEKEEPER_TRUST_PROXY: 'on' }, 'https', true],
    [
      'and not in production where the setting says so and the call came without TLS',
      { LINEKEEPER_MODE: 'production', LINEKEEPER_CONSOLE_SECURE: 'off' },
      'http',
      false,
    ],
  ] as const)
    it(`200: the cookie is for TLS only ${what}`, async () => {
      const { databaseUrl } = world;
      const needed = {
        DATABASE_URL: databaseUrl,
        LINEKEEPER_SECRET_KEY: 'unused',
        LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
      };
      const other = await makeWorld({
        databaseUrl,
        env: { LINEKEEPER_MODE: 'sandbox', ...needed, ...settings },
      });
      const headers = { ...BROWSER, 'x-forwarded-proto': forwarded };
      const answer = await trySignIn(other, { operatorKey: OPERATOR_KEY }, headers);
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal(/; Secure$/.test(String(answer.headers['set-cookie'])), isSecure);
    });

  it('200: the cookie is kept as a hash only', async () => {
    const { cookie } = await signIn(world);
    const token = cookie.split('=')[1]!;
    const rows = await world.ctx.db.many<{ text: string }>(
      sql`select console_session::text as text from console_session`,
    );
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ text }) => !text.includes(token)));
  });

  it('200: says who it is: a user with its home account, an operator with its scopes', async () => {
    const user = (await (await signIn(world, { username, password })).get('/session')).json();
    assert.deepEqual([user.kind, user.name, user.homeAccount, user.scopes], ['user', username, ACCOUNT, []]);
    const operator = (await (await signIn(world)).get('/session')).json();
    assert.deepEqual([operator.kind, operator.name], ['operator', 'first']);
    assert.ok(operator.scopes.includes('admin'));
  });

  it('400: a wrong password is refused in the words of any login, and five of them lock the user here', async () => {
    const guess = () => trySignIn(world, { username: STRANGER_USER.username, password: 'guess' });
    for (let i = 0; i < 4; i++) assert.match((await guess()).json().code, /Password\.Invalid/);
    assert.match((await guess()).json().code, /User\.Locked/);
    assert.match((await trySignIn(world, STRANGER_USER)).json().code, /User\.Locked/);
    await world.operator('POST', `/users/${STRANGER_USER.username}/unlock`);
    assert.equal((await trySignIn(world, STRANGER_USER)).statusCode, 200);
  });

  // proves operating/console-lock
  it('200: wrong passwords here lock no login of the interface, nor those there the console', async () => {
    const lockedOf = async () => {
      const users = (await world.operator('GET', '/users')).json();
      const user = users.find((one: { username: string }) => one.username === STRANGER_USER.username);
      return [user.lockedUntil !== null, user.consoleLockedUntil !== null];
    };
    const wrong = { ...STRANGER_USER, password: 'guess' };
    const token = await bearer(world.api);
    const unlock = () => world.operator('POST', `/users/${STRANGER_USER.username}/unlock`);
    for (let i = 0; i < 5; i++) await trySignIn(world, wrong);
    assert.deepEqual(await lockedOf(), [false, true]);
    assert.ok(await logIn(world.api, token, STRANGER_USER));
    // A login that went well ends no lock of the console.
    assert.match((await trySignIn(world, STRANGER_USER)).json().code, /User\.Locked/);
    await unlock();
    for (let i = 0; i < 5; i++) await assert.rejects(logIn(world.api, token, wrong));
    assert.deepEqual(await lockedOf(), [true, false]);
    assert.equal((await trySignIn(world, STRANGER_USER)).statusCode, 200);
    await assert.rejects(logIn(world.api, token, STRANGER_USER), /User\.Locked/);
    for (let i = 0; i < 5; i++) await trySignIn(world, wrong);
    assert.deepEqual(await lockedOf(), [true, true]);
    await unlock();
    assert.deepEqual(await lockedOf(), [false, false]);
    assert.ok(await logIn(world.api, token, STRANGER_USER));
  });

  it('400: a key that is not known, and nothing at all, are refused', async () => {
    assert.equal(
      (await trySignIn(world, { operatorKey: 'nobody-knows-this-key' })).json().code,
      'key_invalid',
    );
    assert.equal((await trySignIn(world, { username })).json().code, 'credentials_missing');
  });
});

describe('trying passwords and keys', () => {
  it('429: is limited by name and address, and for keys by address', async () => {
    const limited = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '2' } });
    for (const body of [{ operatorKey: 'a-guess-at-a-key' }, { username: 'nobody', password: 'a-guess' }]) {
      for (let i = 0; i < 2; i++) assert.equal((await trySignIn(limited, body)).statusCode, 400);
      const answer = await trySignIn(limited, body);
      assert.equal(answer.statusCode, 429);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
  });

  it('429: is limited by address alone for whoever tries one name after the other', async (t) => {
    // The limit is on real time, which would give some of it back while the test runs.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const limited = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '1' } });
    const tryAs = (username: string) => trySignIn(limited, { username, password: 'a-guess' });
    for (let n = 0; n < 10; n++) assert.equal((await tryAs(`name ${n}`)).statusCode, 400);
    assert.equal((await tryAs('another name')).statusCode, 429);
  });

  it('413: is not for bodies that no password needs', async () => {
    const answer = await trySignIn(world, { username, password: 'a-guess', more: 'x'.repeat(20_000) });
    assert.equal(answer.statusCode, 413);
  });
});

describe('calls of one viewer', () => {
  it('429: are limited in all sessions and areas together, and not those of others', async () => {
    const limited = await makeWorld({ settings: { viewerCallsPerMinute: 3 } });
    await limited.import(SMALL_FLEET);
    const [one, again] = [await signIn(limited, USER), await signIn(limited, USER)];
    const other = await signIn(limited, STRANGER_USER);
    const answers = [];
    for (const [browser, path] of [
      [one, '/console/v1/session'],
      [one, `/m2m/v1/plans/${ACCOUNT}`],
      [again, `/loc/v1/subscriptions/${ACCOUNT}`],
      [again, `/m2m/v1/plans/${ACCOUNT}`],
      [again, '/console/v1/session'],
      [other, '/console/v1/session'],
    ] as const)
      answers.push(await browser.call('GET', path));
    assert.equal(answers[0]?.headers['ratelimit-policy'], '"calls";q=3;w=60');
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 400, 429, 429, 200],
    );
    assert.ok(Number(answers[3]?.headers['retry-after']) >= 1);
  });
});

describe('a request of another site', () => {
  for (const [what, headers] of [
    ['without the header that only our pages send', {}],
    ['that the browser calls cross-site', { ...BROWSER, 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { ...BROWSER, 'sec-fetch-site': 'same-site' }],
    ['from another origin', { 'x-requested-by': 'console', origin: 'https://evil.example' }],
  ] as const) {
    it(`403: ${what} signs nobody in and changes nothing`, async () => {
      const given: Record<string, string> = headers;
      assert.equal((await trySignIn(world, { username, password }, given)).json().code, 'request_forged');
      const browser = await signIn(world);
      assert.equal((await browser.send('POST', '/sign-out', undefined, given)).statusCode, 403);
      assert.equal((await browser.get('/session')).statusCode, 200);
    });
  }
});

describe('answers', () => {
  it('are kept by no browser and run as no page, also those that refuse', async () => {
    const browser = await signIn(world);
    const answers = [
      await browser.get('/session'),
      await browser.get('/accounts/0000000000-00000/devices'),
      await browser.send('POST', '/sign-out', undefined, {}),
      await world.api.inject({ url: '/api/console/v1/session' }),
      await browser.call('GET', `/m2m/v1/plans/${ACCOUNT}`),
      await browser.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, {}, {}),
      await browser.call('GET', '/operator/v1/accounts/0000000000-00000'),
      await browser.call('GET', '/operator/v1/export'),
    ];
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 404, 403, 401, 200, 403, 404, 200],
    );
    for (const { headers } of answers)
      assert.deepEqual(
        [headers['cache-control'], headers['x-content-type-options']],
        ['no-store', 'nosniff'],
      );
    assert.equal(answers[0]?.headers['strict-transport-security'], undefined);
  });
});

describe('LINEKEEPER_CONSOLE=off', () => {
  it('404: there is no console, neither its page nor its calls', async () => {
    const { api } = await makeWorld({ env: { LINEKEEPER_CONSOLE: 'off' } });
    const page = await api.inject({ url: '/', headers: { accept: 'text/html' } });
    assert.equal(page.statusCode, 404);
    assert.equal((await trySignIn({ api }, { username, password })).statusCode, 404);
  });
});
