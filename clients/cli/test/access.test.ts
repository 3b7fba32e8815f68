import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { ACCOUNT, CLIENT, USER } from '../../../test/support/fleet.ts';
import { openListener } from '../../../test/support/listener.ts';
import { OPERATOR_KEY } from '../../../test/support/world.ts';
import { makeScene } from '../../sdk/test/scene.ts';
import { SERVICE_NAMES } from '../samples.ts';
import { type Ran, runCli } from './run-cli.ts';

const scene = await makeScene();
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-profiles-'));
after(() => rm(folder, { recursive: true }));

const file = join(folder, 'profiles.json');
const SECRETS = { LINEKEEPER_CLIENT_SECRET: CLIENT.clientSecret, LINEKEEPER_PASSWORD: USER.password };
const AS_USER = ['--client-id', CLIENT.clientId, '--username', USER.username];
/** Runs the commands in sequence. */
async function runAll(lines: readonly (readonly string[])[]): Promise<Ran[]> {
  const all: Ran[] = [];
  for (const args of lines) all.push(await run(args));
  return all;
}
const run = (args: readonly string[], env: Record<string, string> = {}, input?: string): Promise<Ran> =>
  runCli(args, {
    env: { LINEKEEPER_CONFIG_DIR: folder, ...env },
    ...(input !== undefined && { input }),
  });

describe('login', () => {
  it('stores who one is, for its owner only, and --profile uses it', async () => {
    const { code, out, err } = await run(
      ['login', 'mine', '--url', scene.baseUrl, '--key', OPERATOR_KEY, ...AS_USER, '--json'],
      SECRETS,
    );
    assert.deepEqual([code, err], [0, '']);
    const told = { profile: 'mine', url: scene.baseUrl, operator: true, username: USER.username };
    assert.deepEqual(JSON.parse(out), told);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const [accounts, profiles, plans] = await Promise.all([
      run(['accounts', 'list', '--profile', 'mine', '--json']),
      run(['profiles']),
      run(['call', 'get', `/m2m/v1/plans/${ACCOUNT}`, '--json'], { LINEKEEPER_PROFILE: 'mine' }),
    ]);
    assert.equal(JSON.parse(accounts.out).length, 3);
    assert.equal(profiles.out, `mine  ${scene.baseUrl}  operator  ${USER.username}\n`);
    assert.equal(JSON.parse(plans.out)[0].code, 'P-5MB');
  });

  it('stores nothing where the service says no or is not there', async () => {
    const wrong = { ...SECRETS, LINEKEEPER_PASSWORD: 'wrong' };
    const at = ['--url', scene.baseUrl];
    const [key, user, nobody, name] = await Promise.all([
      run(['login', 'other', ...at, '--key', 'wrong']),
      run(['login', 'other', ...at, ...AS_USER], wrong),
      run(['login', 'other', '--url', 'http://127.0.0.1:1', '--key', OPERATOR_KEY]),
      run(['login', '../other', ...at, '--key', OPERATOR_KEY]),
    ]);
    assert.deepEqual([key.code, user.code, nobody.code, name.code], [5, 5, 3, 2]);
    assert.match(user.err, /Wrong username or password/);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(file, 'utf8'))), ['mine']);
  });

  it('is used without a name only where nothing else names a service, and logout ends it', async () => {
    const before = await run(['accounts', 'list']);
    assert.equal((await run(['login', '--url', scene.baseUrl, '--key', OPERATOR_KEY])).code, 0);
    const [found, elsewhere] = await Promise.all([
      run(['accounts', 'list', '--json']),
      run(['accounts', 'list'], { LINEKEEPER_URL: 'http://127.0.0.1:1' }),
    ]);
    assert.deepEqual([before.code, found.code, elsewhere.code], [2, 0, 2]);
    assert.match(elsewhere.err, /No operator key/);
    assert.deepEqual((await run(['logout'])).out, 'Profile default is removed.\n');
    const gone = await Promise.all([run(['logout']), run(['accounts', 'list', '--profile', 'default'])]);
    assert.deepEqual(
      gone.map(({ code }) => code),
      [2, 2],
    );
    assert.match(gone[1].err, /There is no profile default \(known: mine\)/);
  });
});

describe('call', () => {
  const env = { LINEKEEPER_URL: scene.baseUrl, LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY };
  const asUser = {
    ...env,
    ...SECRETS,
    LINEKEEPER_CLIENT_ID: CLIENT.clientId,
    LINEKEEPER_USERNAME: USER.username,
  };

  it('makes any call with both tokens, or with the operator key, and prints what was answered', async () => {
    const body = JSON.stringify({ accountName: ACCOUNT, maxNumberOfDevices: 1 });
    await writeFile(join(folder, 'body.json'), body);
    const path = '/m2m/v1/devices/actions/list';
    const [given, fromFile, fromInput, clock] = await Promise.all([
      run(['call', 'POST', path, '--body', body], asUser),
      run(['call', 'POST', path, '--body', `@${join(folder, 'body.json')}`, '--json'], asUser),
      run(['call', 'POST', path, '--body', '@-', '--json'], asUser, body),
      run(['call', 'GET', '/operator/v1/accounts', '--query', 'limit=1', '-i', '--json'], env),
    ]);
    assert.equal(JSON.parse(given.out).devices.length, 1);
    assert.deepEqual(JSON.parse(fromFile.out), JSON.parse(given.out));
    assert.equal(fromInput.out, fromFile.out);
    const { status, headers, body: accounts } = JSON.parse(clock.out);
    assert.deepEqual([status, typeof headers['x-next'], accounts.length], [200, 'string', 1]);
  });

  it('leaves no session behind', async (t) => {
    const database = new pg.Client(scene.databaseUrl);
    await database.connect();
    t.after(() => database.end());
    const open = async () =>
      (await database.query<{ n: number }>('select count(*)::int as n from session where ended_at is null'))
        .rows;
    const before = await open();
    await run(['call', 'GET', `/m2m/v1/plans/${ACCOUNT}`], asUser);
    assert.deepEqual(await open(), before);
  });

  it('ends as other commands do when it is refused or is no call', async () => {
    const ended = await Promise.all([
      run(['call', 'GET', '/m2m/v1/plans/0000000000-00000', '--json'], asUser),
      run(['call', 'GET', `/m2m/v1/plans/${ACCOUNT}`], { ...env, LINEKEEPER_CLIENT_ID: 'app' }),
      run(['call', 'LOOK', '/m2m/v1/plans'], asUser),
      run(['call', 'POST', '/m2m/v1/devices/actions/list', '--body', '{'], asUser),
      run(['call', 'GET', 'm2m'], asUser),
    ]);
    assert.deepEqual(
      ended.map(({ code }) => code),
      [1, 2, 2, 2, 2],
    );
    assert.equal(JSON.parse(ended[0].err).code, 'UnifiedWebService.REQUEST_FAILED.AccountNotFound');
    assert.match(ended[1].err, /LINEKEEPER_CLIENT_SECRET, LINEKEEPER_USERNAME, LINEKEEPER_PASSWORD/);
  });
});

describe('trigger', () => {
  it('sends a sample of every callback service to the listener of the account', async () => {
    const listener = await openListener();
    await scene.import({
      listeners: SERVICE_NAMES.map((serviceName) => ({
        accountName: ACCOUNT,
        serviceName,
        url: listener.url,
      })),
    });
    const at = ['--url', scene.baseUrl, '--key', OPERATOR_KEY, '--account', ACCOUNT];
    const lines = [
      ...SERVICE_NAMES.map((name) => ['trigger', name, ...at]),
      ['trigger', 'CarrierService', '--event', 'failure', '--request', 'mine', ...at],
      ['trigger', 'Fota', '--payload', '{"state":"own"}', ...at],
      ['trigger', 'Fota', '--event', 'activate', ...at],
      ['trigger', 'CarrierService', ...at.slice(0, 4)],
    ];
    const failed = (await runAll(lines)).filter(({ code }) => code !== 0);
    assert.deepEqual(failed, [
      { code: 2, out: '', err: 'linekeeper: Fota has no event activate; it has fota.\n' },
      { code: 2, out: '', err: 'linekeeper: Give --account, unless there is exactly one account.\n' },
    ]);
    assert.equal(await scene.delivery.settle(), SERVICE_NAMES.length + 2);
    const bodies = listener.heard.map(({ body }) => body);
    const mine = bodies.find(({ requestId }) => requestId === 'mine');
    assert.deepEqual([mine?.['status'], mine?.['callbackCount']], ['Failed', 1]);
    assert.ok(bodies.some(({ state }) => state === 'own'));
    const text = JSON.stringify(bodies);
    assert.ok(
      text.includes('payAsYouGo') && text.includes('upgradeResponse') && text.includes('niddResponse'),
    );
  });

  it('lists what there is', async () => {
    const { code, out } = await run(['trigger', '--json']);
    const events = JSON.parse(out) as { serviceName: string }[];
    assert.equal(code, 0);
    assert.deepEqual(new Set(events.map(({ serviceName }) => serviceName)), new Set(SERVICE_NAMES));
  });
});

describe('commands about one device and the network', () => {
  it('show and change them', async () => {
    const device = ['imei', '990000000000011'];
    const lines = [
      ['devices', 'state', ...device, 'suspend'],
      ['devices', 'simulate', ...device, '--offline', '--position', '32.9,-97.1,300', '--delay', '5'],
      ['devices', 'simulate', ...device, '--reset'],
      ['devices', 'consents', ...device],
      ['network', 'set', 'refusing'],
      ['network'],
      ['accounts', 'services', ACCOUNT],
      ['callbacks', 'resend', '--account', ACCOUNT],
      ['devices', 'simulate', ...device],
      ['callbacks', 'resend', 'some-id', '--account', ACCOUNT],
    ].map((args) => [...args, '--json', '--url', scene.baseUrl, '--key', OPERATOR_KEY]);
    const ran = await runAll(lines);
    const [state, simulated, normal, consents, , network, services, resent, nothing, both] = ran.map(
      ({ out, err }) => JSON.parse(out || err),
    );
    assert.equal(state.state, 'suspend');
    assert.deepEqual(simulated, {
      online: false,
      position: { lat: 32.9, lon: -97.1, radius: 300 },
      delayMs: 5,
    });
    assert.deepEqual(normal, {});
    assert.equal(consents.intervals.length, 1);
    assert.deepEqual([network, services, resent], [{ condition: 'refusing' }, [], { resent: 0 }]);
    assert.deepEqual([nothing.exitCode, both.exitCode], [2, 2]);
    assert.match(nothing.title, /^Give at least one option/);
    assert.match(both.title, /^Give a request id or --account/);
  });
});
