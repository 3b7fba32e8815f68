import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateSecretKey } from '../crypto/secret-box.ts';
import { ConfigError, parseSettings } from './settings.ts';

const production = {
  DATABASE_URL: 'postgres://db/linekeeper',
  LINEKEEPER_SECRET_KEY: generateSecretKey(),
  LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
};

describe('settings', () => {
  it('without variables are a sandbox on 127.0.0.1:8080 with the demo fleet and loopback callbacks', () => {
    const { mode, host, port, basePath, prefix, role, demo, callbackAllow } = parseSettings({});
    assert.deepEqual(
      { mode, host, port, basePath, prefix, role, demo, callbackAllow },
      {
        mode: 'sandbox',
        host: '127.0.0.1',
        port: 8080,
        basePath: '/api',
        prefix: 'SVC',
        role: 'all',
        demo: true,
        callbackAllow: ['loopback'],
      },
    );
  });

  it('with DATABASE_URL are production: no demo fleet, no loopback callbacks, calls limited', () => {
    const { mode, demo, callbackAllow, callsPerMinute } = parseSettings(production);
    assert.deepEqual([mode, demo, callbackAllow, callsPerMinute], ['production', false, [], 6000]);
  });

  it('give console users at least the calls that its pages need', () => {
    const limits = (rate?: string) => parseSettings({ ...production, LINEKEEPER_API_RATE: rate });
    assert.deepEqual(
      [limits(), limits('60'), limits('0')].map((its) => its.viewerCallsPerMinute),
      [6_000, 1_200, 0],
    );
  });

  it('simulate the demo devices only in a sandbox that has them, or on request', () => {
    const lives = (env: NodeJS.ProcessEnv) => parseSettings(env).simulator;
    const tls = { LINEKEEPER_TLS_CERT: 'a.pem', LINEKEEPER_TLS_KEY: 'b.pem' };
    assert.deepEqual([{}, { LINEKEEPER_DEMO: 'off' }, tls, production].map(lives), [
      true,
      false,
      false,
      false,
    ]);
    const [on, off] = [{ LINEKEEPER_SIMULATOR: 'on' }, { LINEKEEPER_SIMULATOR: 'off' }];
    assert.deepEqual([{ ...on, LINEKEEPER_DEMO: 'off' }, off, { ...production, ...on }].map(lives), [
      true,
      false,
      false,
    ]);
  });

  it('have a seed only if it is given, and only in the sandbox; the demo devices always use one', () => {
    const seeds = (env: NodeJS.ProcessEnv) => {
      const { seed, simulatorSeed } = parseSettings(env);
      return [seed, simulatorSeed];
    };
    assert.deepEqual(seeds({}), [undefined, 'linekeeper']);
    assert.deepEqual(seeds({ LINEKEEPER_SIMULATOR_SEED: '42' }), ['42', '42']);
    assert.equal(parseSettings(production).seed, undefined);
  });

  it('with a mail server have a default sender, and accept another', () => {
    const smtp = { LINEKEEPER_SMTP_URL: 'smtps://me:word@mail.example:465?requireTLS=true' };
    assert.equal(parseSettings(smtp).mailFrom, 'linekeeper@localhost');
    const given = { ...production, ...smtp, LINEKEEPER_MAIL_FROM: 'iot@b.example' };
    assert.equal(parseSettings(given).mailFrom, 'iot@b.example');
    assert.equal(parseSettings({}).listenerAlertAfterMs, 3_600_000);
  });

  it('accept a direct and a replica address only together with the address of the database', () => {
    const other = 'postgres://elsewhere/linekeeper';
    const given = parseSettings({
      ...production,
      DATABASE_DIRECT_URL: other,
      DATABASE_REPLICA_URL: other,
      DATABASE_REPLICA_MAX_LAG: 'PT30S',
    });
    assert.deepEqual(
      [given.databaseDirectUrl, given.databaseReplicaUrl, given.replicaMaxLagMs],
      [other, other, 30_000],
    );
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
      assert.throws(() => parseSettings({ [name]: other }), /need DATABASE_URL to be set/);
  });

  it('treat an empty variable as absent', () =>
    assert.equal(parseSettings({ LINEKEEPER_PORT: ' ' }).port, 8080));

  it('name unknown variables with the prefix', () =>
    assert.deepEqual(parseSettings({ LINEKEEPER_PROT: '1' }).unknown, ['LINEKEEPER_PROT']));

  const wrong: Record<string, [NodeJS.ProcessEnv, RegExp]> = {
    'a port that is not a number': [
      { LINEKEEPER_PORT: 'http' },
      /^LINEKEEPER_PORT must be a whole number from 0 to 65535\.$/,
    ],
    'a port that is too large': [{ LINEKEEPER_PORT: '70000' }, /LINEKEEPER_PORT/],
    'an unknown mode': [
      { LINEKEEPER_MODE: 'prod' },
      /^LINEKEEPER_MODE must be one of sandbox, production\.$/,
    ],
    'a base path without a slash': [{ LINEKEEPER_BASE_PATH: 'api' }, /LINEKEEPER_BASE_PATH must be a path/],
    'a database of another kind': [
      { DATABASE_URL: 'mysql://x' },
      /DATABASE_URL must be an address that begins with postgres/,
    ],
    'production without keys': [
      { LINEKEEPER_MODE: 'production' },
      /needs DATABASE_URL, LINEKEEPER_SECRET_KEY, LINEKEEPER_OPERATOR_KEY/,
    ],
    'a certificate without a key': [{ LINEKEEPER_TLS_CERT: 'a.pem' }, /must be set together/],
    'a worker on the embedded database': [{ LINEKEEPER_ROLE: 'worker' }, /needs DATABASE_URL/],
    'a mail server with an unknown option': [
      { LINEKEEPER_SMTP_URL: 'smtp://mail.example?requireTls=true' },
      /LINEKEEPER_SMTP_URL must be an address such as smtp:/,
    ],
    'passwords that are cheap to guess in production': [
      { ...production, LINEKEEPER_PASSWORD_COST: '14' },
      /^LINEKEEPER_PASSWORD_COST must be 15 or more in production\.$/,
    ],
    'a mail server in production without a sender': [
      { ...production, LINEKEEPER_SMTP_URL: 'smtp://mail.example' },
      /LINEKEEPER_SMTP_URL needs LINEKEEPER_MAIL_FROM/,
    ],
    'a password that is not percent-encoded': [
      { LINEKEEPER_SMS_URL: 'https://me:50%off@sms.example' },
      /LINEKEEPER_SMS_URL must be an address whose user and password are percent-encoded/,
    ],
    'a sender that is not an address': [
      { LINEKEEPER_MAIL_FROM: 'Ann <a@b.example>' },
      /must be a mail address/,
    ],
    'a time without a fixed length': [
      { LINEKEEPER_LISTENER_ALERT_AFTER: 'P1M' },
      /LINEKEEPER_LISTENER_ALERT_AFTER must be a duration such as PT1H/,
    ],
    'a seed that is not a word': [
      { LINEKEEPER_SIMULATOR_SEED: 'two words' },
      /LINEKEEPER_SIMULATOR_SEED must be 1 to 32 letters/,
    ],
    'a seed in production, where it would reveal the tokens': [
      { ...production, LINEKEEPER_SIMULATOR_SEED: '42' },
      /LINEKEEPER_SIMULATOR_SEED is for the sandbox/,
    ],
    'a frozen clock in production': [
      { ...production, LINEKEEPER_FREEZE: 'on' },
      /LINEKEEPER_FREEZE is for the sandbox/,
    ],
    'an operator key that can be guessed': [{ LINEKEEPER_OPERATOR_KEY: 'short' }, /at least 16 characters/],
  };
  it('name all errors at once', () =>
    assert.throws(
      () =>
        parseSettings({ LINEKEEPER_PORT: 'http', LINEKEEPER_DEMO: 'perhaps', LINEKEEPER_CORS_ORIGINS: 'x' }),
      new ConfigError(
        [
          'LINEKEEPER_PORT must be a whole number from 0 to 65535.',
          'LINEKEEPER_CORS_ORIGINS must be an address that begins with http: or https:.',
          'LINEKEEPER_DEMO must be on or off.',
        ].join(' '),
      ),
    ));

  for (const [name, [env, message]] of Object.entries(wrong)) {
    it(`refuse ${name} with one sentence`, () =>
      assert.throws(
        () => parseSettings(env),
        (error) => error instanceof ConfigError && message.test(error.message),
      ));
  }
});
