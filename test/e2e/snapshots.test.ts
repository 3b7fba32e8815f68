import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { clients, users } from '../../demo/credentials.ts';
import { findRunningServer, withDatabases } from '../../embedded-postgres/index.ts';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';
import { makeWorld } from '../support/world.ts';

const ENV = { LINEKEEPER_DEMO: 'on', LINEKEEPER_SIMULATOR: 'off', LINEKEEPER_LOG_LEVEL: 'error' };
const dataDir = makeDataDir();
let service: ServiceProcess = await startServiceProcess(dataDir, ENV);
after(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each call has another answer, and the assertions say which.
  readonly body: any;
}

async function operator(method: string, path: string, body?: object): Promise<Answered> {
  const answer = await fetch(`${service.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A busy disk may delay a call too long while databases are dropped. A call with that error is repeated. */
async function list(path: string): Promise<Record<string, string>[]> {
  for (let tries = 1; ; tries++) {
    const { status, body } = await operator('GET', path);
    if (status === 200) return body;
    assert.ok(status === 503 && tries < 20, `${path}: ${status} ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const accounts = async () => (await list('/accounts')).map((each) => each['accountName']!);
const keys = async () => (await list('/keys')).map((each) => each['name']);
const now = async () => Date.parse((await operator('GET', '/clock')).body.now);
const make = (name: string) => operator('POST', '/snapshots', { name });
const restore = (name: string) => operator('POST', `/snapshots/${name}/restore`);
const createKey = (name: string) => operator('POST', '/keys', { name, scopes: ['read'] });
/** Applications, by which a test tells states apart. */
const mark = (clientId: string) =>
  operator('POST', '/import', { clients: [{ clientId, clientSecret: 'of-a-mark' }] });
const marks = async () =>
  (await list('/clients'))
    .map((each) => each['clientId']!)
    .filter((id) => clients.every(({ clientId }) => clientId !== id));

const [client, user] = [clients[0]!, users[0]!];

/** A caller's credentials. */
async function signIn(): Promise<Record<string, string>> {
  const post = async (path: string, headers: Record<string, string>, body: string) =>
    (await (
      await fetch(`${service.url}${path}`, { method: 'POST', headers, body })
    ).json()) as Answered['body'];
  const basic = `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`;
  const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
  const { access_token: token } = await post('/ts/v1/oauth2/token', form, 'grant_type=client_credentials');
  const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { username, password } = user;
  const { sessionToken } = await post(
    '/m2m/v1/session/login',
    bearer,
    JSON.stringify({ username, password }),
  );
  return { ...bearer, 'SVC-M2M-Token': sessionToken };
}

const readPlans = async (headers: Record<string, string>) =>
  (await fetch(`${service.url}/m2m/v1/plans/${user.accounts[0]}`, { headers })).status;

const onServer = async <T>(work: Parameters<typeof withDatabases<T>>[1]) =>
  withDatabases((await findRunningServer(dataDir))!, work);
const listDatabases = () => onServer((databases) => databases.names(''));

describe('POST /snapshots/{name}/restore', () => {
  it('restores everything, and removes later changes', async () => {
    await mark('before');
    const made = await make('first');
    assert.equal(made.status, 201);
    assert.equal(made.body.name, 'first');
    assert.ok(made.body.bytes > 1_000_000);
    const kept = await accounts();
    await mark('later');
    await operator('DELETE', `/accounts/${kept[0]}`);
    await operator('POST', '/clock', { advance: 'P2D' });
    const restored = await restore('first');
    assert.equal(restored.status, 200);
    assert.deepEqual(await accounts(), kept);
    assert.deepEqual(await marks(), ['before']);
    const since = Date.parse(restored.body.now) - Date.parse(made.body.at);
    assert.ok(since >= 0 && since < 3_600_000, `the clock is ${since} ms after the snapshot's`);
  });

  // proves operating/snapshots
  it('neither revives a deleted operator key nor loses a new one, and a reset does not either', async () => {
    const { key } = (await createKey('deleted')).body;
    assert.equal((await make('keyed')).status, 201);
    await operator('DELETE', '/keys/deleted');
    await createKey('made');
    for (const again of [() => restore('keyed'), () => operator('POST', '/reset'), () => restore('first')]) {
      assert.equal((await again()).status, 200);
      assert.deepEqual(await keys(), ['made']);
      const headers = { authorization: `Bearer ${key}` };
      assert.equal((await fetch(`${service.url}/operator/v1/accounts`, { headers })).status, 401);
    }
    await operator('DELETE', '/keys/made');
    await operator('DELETE', '/snapshots/keyed');
  });

  it('can be repeated, and returns to the same state each time', async () => {
    for (const nth of [1, 2, 3]) {
      assert.equal((await mark(`nth-${nth}`)).status, 200);
      assert.equal((await restore('first')).status, 200);
      assert.deepEqual(await marks(), ['before']);
    }
  });

  it('drops later sessions, fault rules and logged calls each time', async () => {
    for (const _ of [1, 2]) {
      const headers = await signIn();
      assert.equal(await readPlans(headers), 200);
      await operator('PUT', '/faults', [{ operation: 'listPlans', respond: { status: 500 } }]);
      assert.equal((await restore('first')).status, 200);
      assert.equal(await readPlans(headers), 401);
      assert.deepEqual((await operator('GET', '/faults')).body, []);
      const calls = await list('/requests?limit=1000');
      assert.deepEqual(
        calls.filter(({ path }) => path?.includes('/session/login')),
        [],
      );
      assert.ok(calls.some(({ path }) => path?.includes('/m2m/v1/plans/')));
    }
  });

  it('restores a frozen clock to the exact millisecond', async () => {
    await operator('POST', '/clock', { freeze: true });
    const frozenAt = await now();
    const { body } = await make('frozen');
    assert.equal(Date.parse(body.at), frozenAt);
    await operator('POST', '/clock', { advance: 'PT1H' });
    assert.equal(await now(), frozenAt + 3_600_000);
    assert.equal(Date.parse((await restore('frozen')).body.now), frozenAt);
    assert.equal(await now(), frozenAt);
    assert.equal((await restore('first')).status, 200);
    assert.equal((await operator('GET', '/clock')).body.frozen, false);
  });

  it('delays calls that arrive during the restore, and answers them from the restored state', async () => {
    await mark('gone');
    const restoring = restore('first');
    const answers = await Promise.all(Array.from({ length: 20 }, () => operator('GET', '/keys')));
    await restoring;
    for (const { status } of answers) assert.equal(status, 200);
    assert.deepEqual(await marks(), ['before']);
  });

  it('is in the audit log of the restored state', async () => {
    await restore('first');
    const { body } = await operator('GET', '/audit?limit=5');
    const entry = body.find((each: { action: string }) => each.action === 'operatorRestoreSnapshot');
    assert.deepEqual([entry?.target, entry?.status], ['first', 200]);
  });

  it('survives a kill right after its answer, and leaves no database behind', async () => {
    assert.equal((await mark('lost')).status, 200);
    assert.equal((await restore('first')).status, 200);
    await service.stop('SIGKILL');
    service = await startServiceProcess(dataDir, ENV);
    assert.deepEqual(await marks(), ['before']);
    for (let tries = 0; (await listDatabases()).some((name) => name.startsWith('passing')); tries++) {
      assert.ok(tries < 600, 'left-overs are not dropped');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it('refuses a snapshot of another version with advice, and changes nothing', async () => {
    await make('old');
    await onServer(async (databases) => {
      const { comment } = (await databases.list('snapshot old'))[0]!;
      const older = { ...JSON.parse(comment!), version: '0.0.9', schema: 'another' };
      await databases.comment('snapshot old', JSON.stringify(older));
    });
    const { status, body } = await restore('old');
    assert.deepEqual([status, body.code], [409, 'snapshot_version']);
    assert.match(body.detail, /Linekeeper 0\.0\.9 made old, .* Delete the snapshot and create it again/);
    assert.deepEqual(await marks(), ['before']);
  });

  it('answers 404 for an unknown snapshot', async () => {
    assert.deepEqual([(await restore('nobody')).body.code], ['snapshot_unknown']);
  });
});

describe('POST /snapshots', () => {
  it('refuses a name that is taken or invalid', async () => {
    assert.deepEqual([(await make('first')).body.code], ['snapshot_exists']);
    assert.equal((await make('no spaces')).status, 400);
  });

  it('does nothing while another one is in progress', async () => {
    const [one, two] = await Promise.all([make('one'), make('two')]);
    assert.deepEqual([one.status, two.status].sort(), [201, 409]);
  });

  it('changes nothing while another program is connected to the database', async () => {
    const url = (await findRunningServer(dataDir))!;
    const guest = new pg.Client({ connectionString: url, application_name: 'guest' });
    await guest.connect();
    try {
      const { status, body } = await make('disturbed');
      assert.deepEqual([status, body.code], [409, 'database_in_use']);
      assert.deepEqual(await marks(), ['before']);
    } finally {
      await guest.end();
    }
    assert.equal((await make('disturbed')).status, 201);
  });
});

describe('GET and DELETE /snapshots', () => {
  it('lists snapshots, and deletes by name', async () => {
    const names = async () =>
      (await operator('GET', '/snapshots')).body.map((each: { name: string }) => each.name);
    assert.ok((await names()).includes('frozen'));
    assert.equal((await operator('DELETE', '/snapshots/frozen')).status, 200);
    assert.ok(!(await names()).includes('frozen'));
    assert.equal((await operator('DELETE', '/snapshots/frozen')).status, 404);
  });
});

describe('POST /reset', () => {
  it('returns to the fleet of the start, including users and applications, and to real time', async () => {
    const users = async () => (await operator('GET', '/users')).body.length;
    const [fleet, people] = [await accounts(), await users()];
    await mark('mine');
    await operator('POST', '/clock', { advance: 'P1D' });
    await operator('POST', '/clock', { reset: true });
    assert.deepEqual(await accounts(), []);
    assert.equal((await operator('POST', '/reset')).status, 200);
    assert.deepEqual([await accounts(), await users(), await marks()], [fleet, people, []]);
    assert.equal((await operator('GET', '/clock')).body.offsetMs, 0);
    assert.equal((await restore('first')).status, 200);
  });
});

describe('snapshots and resets', () => {
  it('are refused with a sentence if the database is not the embedded one, and are unknown in production', async () => {
    const url = 'postgres://127.0.0.1/none';
    const sandbox = await makeWorld({ env: { DATABASE_URL: url, LINEKEEPER_MODE: 'sandbox' } });
    const production = await makeWorld({ settings: { sandbox: false } });
    for (const path of ['/snapshots', '/snapshots/first/restore', '/reset']) {
      const refused = await sandbox.operator('POST', path, { name: 'first' });
      assert.deepEqual([refused.statusCode, refused.json().code], [409, 'snapshots_absent']);
      assert.equal((await production.operator('POST', path, { name: 'first' })).statusCode, 404);
    }
  });
});
