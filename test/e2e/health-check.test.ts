import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { generate } from 'selfsigned';

/** The command by which the container checks its service. */
const [, command] = /^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$/m.exec(
  readFileSync('deploy/Containerfile', 'utf8'),
)!;
const [, ...words]: string[] = JSON.parse(command!);

const paths: (string | undefined)[] = [];
let status = 200;
const answer: RequestListener = ({ url }, response) => {
  paths.push(url);
  response.writeHead(status).end();
};
const { private: key, cert } = await generate([{ name: 'commonName', value: 'somewhere.example' }], {
  keySize: 2048,
});
const [plain, tls] = [createServer(answer), createTlsServer({ key, cert }, answer)];
after(() => {
  for (const server of [plain, tls]) server.close();
});

async function check(port: number, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, LINEKEEPER_PORT: String(port), ...env },
  });
  return (await once(child, 'exit'))[0];
}
async function listen(server: typeof plain | typeof tls): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the health check of the image', () => {
  it('follows the answer of the service', async () => {
    const port = await listen(plain);
    assert.equal(await check(port), 0);
    assert.equal(paths.at(-1), '/health/live');
    status = 503;
    assert.equal(await check(port), 1);
    status = 200;
  });

  it('uses TLS if the service has a certificate, whatever name is in it', async () => {
    const port = await listen(tls);
    assert.equal(await check(port, { LINEKEEPER_TLS_CERT: '/etc/tls/tls.crt' }), 0);
    assert.equal(await check(port), 1);
  });

  it('fails if nothing listens', async () => assert.equal(await check(1), 1));
});
