import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { createClient, createOperatorClient, type LinekeeperError } from '../../clients/sdk/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { ACCOUNT, CLIENT, SMALL_FLEET, USER } from '../support/fleet.ts';
import {
  makeDataDir,
  removeDataDir,
  runToEnd,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const dataDir = makeDataDir();
const folders = [dataDir];
after(() => folders.forEach(removeDataDir));

const operatorOf = ({ url: baseUrl, operatorKey }: ServiceProcess) =>
  createOperatorClient({ baseUrl, operatorKey, timeoutMs: 60_000 });
const importFleet = (service: ServiceProcess, raw: string | Uint8Array<ArrayBuffer>, gzip = false) =>
  operatorOf(service).call('POST /operator/v1/import', {
    raw,
    headers: gzip ? { 'content-encoding': 'gzip' } : {},
  });
const FLEET = JSON.stringify(SMALL_FLEET);
const accountsOf = async (service: ServiceProcess) =>
  (await operatorOf(service).call('GET /operator/v1/accounts')).map(({ accountName }) => accountName);
const advance = (service: ServiceProcess) =>
  operatorOf(service).call('POST /operator/v1/clock', { body: { advance: 'PT1S' } });

describe('the service as a process', () => {
  it('keeps accepted data through kill -9, and finds the database server it left behind', async () => {
    const first = await startServiceProcess(dataDir);
    await importFleet(first, FLEET);
    const before = await accountsOf(first);
    await first.stop('SIGKILL');
    const second = await startServiceProcess(dataDir);
    assert.deepEqual(await accountsOf(second), before);
    await assert.doesNotReject(advance(second), 'the killed process does not count as another one');
    assert.equal(await second.stop(), 0);
  });

  it('refuses a second start on the same data folder with a sentence, and the first continues', async () => {
    const first = await startServiceProcess(dataDir);
    const second = await runToEnd(dataDir, {});
    assert.equal(second.code, 1);
    assert.match(second.output, /^linekeeper: .*data folder.*/m);
    await operatorOf(first).call('GET /operator/v1/clock');
    assert.equal(await first.stop('SIGINT'), 0);
  });

  it('survives bodies that break off or have a wrong type, and stops cleanly after them', async () => {
    const service = await startServiceProcess(dataDir);
    await assert.rejects(importFleet(service, 'not gzip at all', true), { status: 422 });
    const cut = gzipSync(JSON.stringify({ plans: [{ code: 'x' }] })).subarray(0, 20);
    await assert.rejects(importFleet(service, cut, true), { status: 422 });
    const bad = JSON.stringify({ plans: Array.from({ length: 200_000 }, () => ({ code: '' })) });
    await assert.rejects(importFleet(service, bad), ({ status, body }: LinekeeperError) => {
      assert.deepEqual([status, (body as { errors: unknown[] }).errors.length], [422, 100]);
      return true;
    });
    assert.equal(await service.stop(), 0);
  });

  it('logs a request even if its caller disconnects before the answer', async () => {
    const service = await startServiceProcess(dataDir);
    const sending = request(`${service.url}/operator/v1/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.operatorKey}` },
    });
    sending.on('error', () => {});
    sending.write('{"plans": [');
    await accountsOf(service);
    sending.destroy();
    while (!service.output().includes('the caller closed the connection')) await sleep(20);
    await service.stop();
    const lines = [...service.output().matchAll(/^\{.*"route".*\}$/gm)].map(([line]) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ route, status, operator, msg }) => ({ route, status, operator, msg })),
      [
        { route: '/api/operator/v1/accounts', status: 200, operator: 'first', msg: 'answered' },
        {
          route: '/api/operator/v1/import',
          status: undefined,
          operator: 'first',
          msg: 'the caller closed the connection before the answer',
        },
      ],
    );
  });

  it('restarts its embedded database when that is killed, and answers again', async () => {
    const service = await startServiceProcess(dataDir);
    process.kill(findPostmaster(dataDir), 'SIGKILL');
    const until = Date.now() + 90_000;
    let answers = false;
    while (!answers && Date.now() < until) {
      answers = await accountsOf(service).then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(answers);
    assert.equal(await service.stop(), 0);
  });

  it('stops with the npm that started it', async () => {
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, LINEKEEPER_DATA_DIR: dataDir, LINEKEEPER_PORT: '0', LINEKEEPER_DEMO: 'off' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise<void>((resolve) =>
      npm.stdout.on('data', (text) => String(text).includes('ready on') && resolve()),
    );
    npm.kill('SIGTERM');
    // The data folder is free again only when the service under npm has really ended.
    const until = Date.now() + 90_000;
    let next: ServiceProcess | undefined;
    while (next === undefined && Date.now() < until)
      next = await startServiceProcess(dataDir).catch(() => undefined);
    assert.ok(next);
    await next.stop();
  });

  it('serves TLS with a certificate and its key, and tells browsers to keep using it', async () => {
    const folder = makeTemporary();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const service = await startServiceProcess(dataDir, {
      LINEKEEPER_TLS_CERT: certFile,
      LINEKEEPER_TLS_KEY: keyFile,
    });
    assert.match(service.url, /^https:/);
    const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) =>
      get(
        new URL('/health/live', service.url),
        { ca: cert, servername: 'localhost', checkServerIdentity: () => undefined },
        (answer) => resolve(answer.resume()),
      ).on('error', reject),
    );
    assert.equal(statusCode, 200);
    assert.match(headers['strict-transport-security'] ?? '', /^max-age=[1-9]/);
    await service.stop();
  });

  it('runs as separate api and worker processes on an external database, where production needs its settings', async () => {
    const { url, drop } = await createTestDatabase();
    after(drop);
    const env = {
      DATABASE_URL: url,
      LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
      LINEKEEPER_SECRET_KEY: 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    };
    const services = await Promise.all([
      startServiceProcess(makeTemporary(), { ...env, LINEKEEPER_ROLE: 'api' }),
      startServiceProcess(makeTemporary(), { ...env, LINEKEEPER_ROLE: 'worker' }),
    ]);
    const [api, worker] = services as [ServiceProcess, ServiceProcess];
    await importFleet(api, FLEET);
    const user = createClient({ baseUrl: api.url, ...CLIENT, ...USER });
    const plans = await user.call('GET /m2m/v1/plans/{accountName}', { path: { accountName: ACCOUNT } });
    assert.deepEqual(
      plans.map(({ code }) => code),
      ['P-5MB'],
    );
    await assert.rejects(advance(api), { status: 409 });
    await assert.rejects(operatorOf(worker).call('GET /operator/v1/clock'), { status: 404 });
    assert.equal((await fetch(new URL('/health/ready', worker.url))).status, 200);
    assert.deepEqual(await Promise.all(services.map((service) => service.stop())), [0, 0]);
  });
});

function makeTemporary(): string {
  const folder = makeDataDir();
  folders.push(folder);
  return folder;
}

/** The cluster lies in the data folder, or where a pointer in it says. */
function findPostmaster(folder: string): number {
  const pointer = join(folder, 'cluster-location');
  const home = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : folder;
  return Number(readFileSync(join(home, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('a start that cannot succeed', () => {
  const wrong: Record<string, [NodeJS.ProcessEnv, number, RegExp]> = {
    'a wrong setting': [
      { LINEKEEPER_PORT: 'abc' },
      2,
      /^linekeeper: LINEKEEPER_PORT must be a whole number/m,
    ],
    'a wrong secret key': [
      { LINEKEEPER_SECRET_KEY: 'short' },
      2,
      /^linekeeper: LINEKEEPER_SECRET_KEY cannot be used/m,
    ],
    'production without a database': [
      { LINEKEEPER_MODE: 'production' },
      2,
      /^linekeeper: Production mode needs DATABASE_URL/m,
    ],
    'an unreachable database': [
      { DATABASE_URL: 'postgres://user:hidden-word@127.0.0.1:1/x', LINEKEEPER_MODE: 'sandbox' },
      1,
      /^linekeeper: .*database/m,
    ],
    'a missing certificate': [
      { LINEKEEPER_TLS_CERT: 'no-such-file.pem', LINEKEEPER_TLS_KEY: 'no-such-file.pem' },
      2,
      /^linekeeper: LINEKEEPER_TLS_CERT cannot be read: .*no-such-file\.pem/m,
    ],
    'a file that is no certificate': [
      { LINEKEEPER_TLS_CERT: 'package.json', LINEKEEPER_TLS_KEY: 'package.json' },
      2,
      /^linekeeper: LINEKEEPER_TLS_CERT and LINEKEEPER_TLS_KEY are not a certificate with its key/m,
    ],
    'a name that no machine has': [
      { LINEKEEPER_HOST: 'nowhere.invalid' },
      1,
      /^linekeeper: The name nowhere\.invalid has no address; set LINEKEEPER_HOST/m,
    ],
  };
  for (const [name, [env, code, sentence]] of Object.entries(wrong)) {
    it(`because of ${name} reports it in one sentence and exits with ${code}`, async () => {
      const { code: got, output } = await runToEnd(makeTemporary(), env);
      assert.equal(got, code, output);
      assert.match(output, sentence);
      assert.ok(!output.includes('    at ') && !output.includes('hidden-word'), output);
    });
  }

  it('because of a taken port names it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const { code, output } = await runToEnd(makeTemporary(), { LINEKEEPER_PORT: String(port) });
    server.close();
    assert.equal(code, 1);
    assert.match(output, new RegExp(`^linekeeper: Port ${port} on 127.0.0.1 is already in use`, 'm'));
  });

  it('because the data folder is a file leaves it unchanged', async () => {
    const folder = makeTemporary();
    const file = join(folder, 'a-file');
    writeFileSync(file, 'mine');
    const { code, output } = await runToEnd(file, {});
    assert.equal(code, 2);
    assert.match(output, /^linekeeper: The data folder .*a-file is not a folder\.$/m);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });

  for (const [name, env, sentence] of [
    ['a data folder', {}, /^linekeeper: Linekeeper cannot create the data folder \/proc\/x: .*\.$/m],
    [
      'a folder for its keys',
      { DATABASE_URL: 'postgres://user@127.0.0.1:1/x', LINEKEEPER_MODE: 'sandbox' },
      /^linekeeper: LINEKEEPER_DATA_DIR cannot be used: .*\/proc\/x.*\.$/m,
    ],
  ] as const)
    it(`because ${name} cannot be made where it shall be ends all the same, with 2`, {
      skip: process.platform !== 'linux',
    }, async () => {
      const { code, output } = await runToEnd('/proc/x', env);
      assert.equal(code, 2, output);
      assert.match(output, sentence);
    });
});
