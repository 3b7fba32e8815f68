import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { clients, demoBanner, firstCall, users } from './credentials.ts';

const facts = { url: 'http://127.0.0.1:8080/api', sessionHeader: 'SVC-M2M-Token', dataDir: '/srv/lk' };

test('the banner names everyone who can log in, the operator key and the reference page', () => {
  const banner = demoBanner(facts);
  for (const { clientId, clientSecret } of clients)
    assert.ok(banner.includes(`${clientId}  ${clientSecret}`));
  for (const { username, password } of users) assert.ok(banner.includes(`${username}  ${password}`));
  assert.match(banner, /^ {2}\/srv\/lk\/operator-key$/m);
  assert.match(banner, /^ {2}http:\/\/127\.0\.0\.1:8080\/docs$/m);
});

test('the banner warns of the published passwords if others can reach the address', () => {
  assert.match(demoBanner({ ...facts, isReachable: true }), /^Warning: .*published passwords/m);
  assert.doesNotMatch(demoBanner(facts), /Warning/);
});

test('an operator key that was given as a setting is not looked for in the data folder', () => {
  const banner = demoBanner({ ...facts, operatorKeyGiven: true });
  assert.match(banner, /LINEKEEPER_OPERATOR_KEY/);
  assert.doesNotMatch(banner, /operator-key/);
});

test('the first call follows the address and the session header of the installation', () => {
  const script = firstCall({ ...facts, url: 'https://[::1]:9443/x/y', sessionHeader: 'ACME-M2M-Token' }).join(
    '\n',
  );
  assert.match(script, /^BASE='https:\/\/\[::1\]:9443\/x\/y'$/m);
  assert.match(script, /"ACME-M2M-Token: \$SESSION"/);
});

test('the first call is valid for a plain shell and holds nothing that an interactive one would expand', () => {
  const script = firstCall(facts).join('\n');
  assert.doesNotMatch(script, /!/);
  assert.equal(spawnSync('sh', ['-n'], { input: script }).status, 0);
});

test('no line of the banner is wider than a usual terminal is with a margin', () => {
  for (const line of demoBanner({ ...facts, isReachable: true }).split('\n'))
    assert.ok(line.length <= 110, line);
});
