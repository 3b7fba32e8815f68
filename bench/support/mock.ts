import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PEERS = 'bench/peers';
const [START_TRIES, POLL_MS] = [3_000, 20];

export function installPeers(): void {
  if (existsSync(`${PEERS}/node_modules`)) return;
  // No package needs an install script.
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', PEERS], { stdio: 'inherit' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Answers every operation of our OpenAPI document with an example response: no database, no log. */
export async function startMock() {
  installPeers();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [
    'mock',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--verboseLevel',
    'silent',
    'openapi.json',
  ];
  const child = spawn(process.execPath, [`${PEERS}/node_modules/.bin/prism`, ...args], { stdio: 'ignore' });
  for (let tries = 0; tries < START_TRIES; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) return { url, stop: () => child.kill() };
    await sleep(POLL_MS);
  }
  child.kill();
  throw new Error('the mock did not start');
}
