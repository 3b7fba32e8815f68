import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { runCli } from './run-cli.ts';
import { startEmptyWorld } from './start-world.ts';

const ACCOUNT = '0000123456-00001';

const service = await startEmptyWorld();

const FLEET = JSON.stringify({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [{ accountName: ACCOUNT, ecpdId: '9000001', timeZone: 'America/Chicago' }],
  clients: [{ clientId: 'app', clientSecret: 'a-secret-for-the-test' }],
  users: [{ username: 'ws-user', password: 'A-passw0rd-for-the-test', accounts: [ACCOUNT] }],
  devices: [
    {
      accountName: ACCOUNT,
      kind: 'device',
      imei: '990000000000001',
      record: { name: 'red \u001b[31m and \u202e back' },
    },
  ],
});

describe('commands', () => {
  const json = async (...args: string[]) => {
    const { code, out, err } = await service.run([...args, '--json']);
    assert.deepEqual([code, err], [0, '']);
    return JSON.parse(out);
  };
  before(async () => {
    assert.equal((await service.run(['import', '-'], { input: FLEET })).code, 0);
  });

  it('finds the service by the data folder, which is .linekeeper in the current folder unless it is named', async () => {
    const [found, health] = await Promise.all([
      runCli(['accounts', 'list', '--json'], { cwd: service.cwd, env: { LINEKEEPER_DATA_DIR: '' } }),
      runCli(['health', '--json'], { cwd: service.dataDir, env: { LINEKEEPER_DATA_DIR: '.' } }),
    ]);
    assert.equal(JSON.parse(found.out).length, 1);
    assert.equal(JSON.parse(health.out).url, service.url);
  });

  it('answers in the same shapes as the operator API with --json', async () => {
    const [health, accounts, account, devices, users, clients, jobs, clock] = await Promise.all([
      json('health'),
      json('accounts', 'list'),
      json('accounts', 'show', ACCOUNT),
      json('devices', 'list', ACCOUNT),
      json('users', 'list'),
      json('clients', 'list'),
      json('jobs', 'list', '--state', 'failed'),
      json('clock'),
    ]);
    assert.deepEqual(health, { status: 'ready', url: service.url });
    assert.deepEqual(accounts, [account]);
    assert.equal(devices[0].imei, '990000000000001');
    assert.deepEqual([users[0].username, users[0].accounts], ['ws-user', [ACCOUNT]]);
    assert.equal(clients[0].clientId, 'app');
    assert.deepEqual(jobs, []);
    assert.equal(typeof clock.offsetMs, 'number');
  });

  it('prints tables for people, in which a name cannot move the cursor', async () => {
    const { out } = await service.run(['devices', 'list', ACCOUNT]);
    const [titles, row] = out.split('\n');
    assert.match(titles!, /^IDENTIFIER +KIND +STATE +PLAN +NAME$/);
    assert.equal(row!.indexOf('red \ufffd[31m and \ufffd back'), titles!.indexOf('NAME'));
  });

  it('moves the clock', async () => {
    const from = await json('clock');
    const moved = await json('clock', 'advance', 'PT5M');
    assert.ok(Date.parse(moved.now) - Date.parse(from.now) >= 300_000);
    assert.deepEqual(Object.keys(moved), ['now', 'ran', 'followed']);
    const to = new Date(Date.parse(moved.now) + 600_000).toISOString();
    const { code, out } = await service.run(['clock', 'set', to]);
    assert.deepEqual([code, out.startsWith(`The clock is at ${to.slice(0, 17)}`)], [0, true]);
    const [backwards, unclear] = await Promise.all([
      service.run(['clock', 'set', '2020-01-01']),
      service.run(['clock', 'set', '2040-01-01T10:00']),
    ]);
    assert.deepEqual([backwards.code, unclear.code], [1, 2]);
  });

  it('pauses and resumes', async () => {
    assert.deepEqual(await json('actions', 'pause'), { paused: true });
    assert.deepEqual(await json('actions'), { paused: true });
    assert.deepEqual(await json('actions', 'resume'), { paused: false });
    const { code, err } = await service.run(['callbacks', 'pause', ACCOUNT, 'CarrierService']);
    assert.deepEqual([code, err], [6, `linekeeper: There is no such listener: ${ACCOUNT} CarrierService.\n`]);
  });

  it('shows a new key, password and secret once', async () => {
    const [key, { newPassword }, client, disabled] = await Promise.all([
      json('keys', 'create', 'bot', '--scope', 'read', '--scope', 'clock'),
      json('users', 'reset-password', 'ws-user', '--yes'),
      json('clients', 'rotate', 'app'),
      json('clients', 'disable', 'app'),
    ]);
    assert.deepEqual(key.scopes, ['read', 'clock']);
    assert.ok(newPassword.length > 8 && client.clientSecret.length > 8);
    assert.deepEqual(disabled, { success: true });
    const env = { LINEKEEPER_OPERATOR_KEY: key.key };
    const [listed, allowed, refused] = await Promise.all([
      service.run(['keys', 'list']),
      service.run(['users', 'list', '--url', `${service.url}/`], { env }),
      service.run(['users', 'unlock', 'ws-user'], { env }),
    ]);
    assert.match(listed.out, /^bot +read, clock +\d{4}-\d\d-\d\dT\S+Z +first$/m);
    assert.doesNotMatch(listed.out, new RegExp(key.key));
    assert.deepEqual([allowed.code, refused.code], [0, 5]);
    const audit = await json('audit', '--actor', 'bot', '--action', 'operatorListUsers', '--limit', '1');
    assert.equal(audit[0].status, 200);
    assert.deepEqual(await json('keys', 'delete', 'bot', '--yes'), { success: true });
  });

  it('refuses what cannot be undone where nobody can be asked', async () => {
    const refused = await Promise.all(
      [
        ['accounts', 'delete', ACCOUNT],
        ['accounts', 'erase-positions', ACCOUNT],
        ['devices', 'delete', 'imei', '990000000000001'],
        ['clients', 'rotate', 'app', '--at-once'],
        ['clock', 'reset'],
      ].map((args) => service.run(args)),
    );
    for (const { code, err } of refused) {
      assert.equal(code, 2);
      assert.equal(err, 'linekeeper: This cannot be undone. Without a terminal, confirm it with --yes.\n');
    }
    assert.equal((await json('devices', 'show', 'imei', '990000000000001')).kind, 'device');
    assert.deepEqual(await json('devices', 'erase-positions', 'imei', '990000000000001', '--yes'), {
      erased: 0,
    });
    assert.deepEqual(await json('accounts', 'delete', ACCOUNT, '--yes'), { success: true });
    assert.deepEqual(await json('accounts', 'list'), []);
  });

  it('says in one sentence why the service refused', async () => {
    const [key, job, path] = await Promise.all([
      service.run(['accounts', 'list', '--key', 'wrong']),
      service.run(['jobs', 'retry', '00000000-0000-4000-8000-000000000000', '--json']),
      service.run(['accounts', 'list', '--url', new URL('/elsewhere', service.url).href]),
    ]);
    assert.deepEqual(
      [key.code, key.err],
      [5, 'linekeeper: The operator key is not known; the key came from --key.\n'],
    );
    const { title, code, status, exitCode } = JSON.parse(job.err);
    assert.deepEqual(
      { title, code, status, exitCode },
      { title: 'There is no such failed job', code: 'job_unknown', status: 404, exitCode: 6 },
    );
    assert.equal(path.code, 1);
    assert.match(path.err, /check --url/);
  });
});

const IMEI_FIRST = 990_000_000_000_001;

const fleet = (devices: number) => ({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [{ accountName: ACCOUNT, ecpdId: '9000001', timeZone: 'America/Chicago' }],
  clients: [{ clientId: 'app', clientSecret: 'a-secret-for-the-test' }],
  users: [{ username: 'ws-user', password: 'A-passw0rd-for-the-test', accounts: [ACCOUNT] }],
  plans: [{ code: 'IOT-5MB', name: '5 MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 }],
  devices: Array.from({ length: devices }, (_, i) => ({
    accountName: ACCOUNT,
    kind: 'device',
    imei: String(IMEI_FIRST + i),
    state: 'active',
    servicePlan: 'IOT-5MB',
  })),
});

describe('import and export', () => {
  const inDataDir = (name: string) => join(service.dataDir, name);
  before(async () => {
    await writeFile(inDataDir('fleet.json'), JSON.stringify(fleet(3)));
  });

  it('imports a file and prints what it held', async () => {
    const { code, out } = await service.run(['import', inDataDir('fleet.json')]);
    assert.equal(code, 0);
    assert.match(out, /^Imported profiles: 1, accounts: 1, .*devices: 3\.\n$/);
  });

  it('exports what it imported, and imports what it exported', async () => {
    const [file, again] = [inDataDir('out.json'), inDataDir('again.json')];
    const written = await service.run(['export', '-o', file]);
    assert.match(written.out, /^Wrote a document of \d.* to .*out\.json\.\n$/);
    const text = await readFile(file, 'utf8');
    assert.equal(JSON.parse(text).devices.length, 3);
    assert.doesNotMatch(text, /for-the-test/);
    assert.equal((await service.run(['import', file])).code, 0);
    assert.equal((await service.run(['export', '-o', again])).code, 0);
    assert.equal(await readFile(again, 'utf8'), text);
    assert.deepEqual(
      (await readdir(service.dataDir)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('takes gzip from a file and from standard input, and writes it', async () => {
    const packed = gzipSync(JSON.stringify(fleet(4)));
    await writeFile(inDataDir('fleet.json.gz'), packed);
    const [fromFile, fromInput] = await Promise.all([
      service.run(['import', inDataDir('fleet.json.gz'), '--json']),
      service.run(['import', '-', '--json'], { input: packed }),
    ]);
    const counts = { profiles: 1, accounts: 1, clients: 1, users: 1, plans: 1, devices: 4 };
    assert.deepEqual(JSON.parse(fromFile.out), { counts });
    assert.deepEqual(JSON.parse(fromInput.out), { counts });
    const file = inDataDir('out.json.gz');
    const { out } = await service.run(['export', '--account', ACCOUNT, '-o', file, '--json']);
    const plain = gunzipSync(await readFile(file));
    assert.deepEqual(JSON.parse(out), { file, bytes: plain.length });
    assert.equal(JSON.parse(plain.toString()).devices.length, 4);
  });

  it('prints every error of a refused document, changes nothing and exits with 1', async () => {
    const before = (await service.run(['export'])).out;
    const refused = JSON.stringify({
      accounts: [{ accountName: '0000999999-00001', ecpdId: '9000001', timeZone: 'America/Chicago' }],
      devices: [
        { accountName: ACCOUNT, imei: 'x' },
        { kind: 'device', imei: '990000000000777' },
      ],
      gadgets: [{}],
    });
    const [person, machine] = await Promise.all([
      service.run(['import', '-'], { input: refused }),
      service.run(['import', '-', '--json'], { input: refused }),
    ]);
    assert.deepEqual([person.code, person.out, machine.code, machine.out], [1, '', 1, '']);
    assert.match(person.err, /^linekeeper: The document was refused; nothing was changed\.$/m);
    for (const pointer of ['/devices/0/imei', '/devices/1/accountName', '/gadgets'])
      assert.match(person.err, new RegExp(`^${pointer}: .+$`, 'm'));
    const { status, exitCode, errors } = JSON.parse(machine.err);
    assert.deepEqual([status, exitCode, errors.length], [422, 1, person.err.trim().split('\n').length - 1]);
    assert.equal((await service.run(['export'])).out, before);
  });

  it('leaves the file alone when the account is not there or the folder is not', async () => {
    await writeFile(inDataDir('kept.json'), 'kept');
    const [unknown, nowhere] = await Promise.all([
      service.run(['export', '--account', '0000000000-00009', '-o', inDataDir('kept.json')]),
      service.run(['export', '-o', inDataDir('no-folder/out.json')]),
    ]);
    assert.deepEqual(
      [unknown.code, unknown.err],
      [6, 'linekeeper: There is no such account: 0000000000-00009.\n'],
    );
    assert.equal(await readFile(inDataDir('kept.json'), 'utf8'), 'kept');
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.err, /Cannot write/);
  });

  it('lists page by page with --all, and no more than --limit without', async () => {
    await service.run(['import', '-'], { input: JSON.stringify(fleet(1_100)) });
    const list = ['devices', 'list', ACCOUNT];
    const [all, table, limited] = await Promise.all([
      service.run([...list, '--all', '--json']),
      service.run(list),
      service.run([...list, '--limit', '1050', '--json']),
    ]);
    assert.equal(new Set(JSON.parse(all.out).map(({ imei }: { imei: string }) => imei)).size, 1_100);
    assert.equal(table.out.trim().split('\n').length, 101);
    assert.match(table.err, /There may be more/);
    assert.equal(JSON.parse(limited.out).length, 1_050);
  });
});
