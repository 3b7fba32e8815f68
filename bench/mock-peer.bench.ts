import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { requestsPerSecond } from './support/load.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene } from './support/service-scene.ts';

const ROUNDS = roundsOr(5);
const SECONDS = 5;
const CONNECTIONS = 64;
const PEERS = 'bench/peers';
const START_TRIES = 300;

const READS = {
  'an account with its plans': `/m2m/v1/accounts/${ACCOUNT}`,
  "an account's listeners": `/m2m/v1/callbacks/${ACCOUNT}`,
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Answers every operation of our own document with an example of its answer: no database, no log. */
async function startMock() {
  if (!existsSync(`${PEERS}/node_modules`))
    // Nothing in there needs a script to run.
    execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', PEERS], { stdio: 'inherit' });
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
    await sleep(200);
  }
  child.kill();
  throw new Error('the mock did not start');
}

/** The real service, with tokens, sessions and a database, beside a mock that answers from the document alone. */
export async function mockPeer(): Promise<Finding[]> {
  const mock = await startMock();
  const { url, headers, close } = await openServiceScene('mock_peer', SMALL_FLEET);
  try {
    const findings: Finding[] = [];
    for (const [what, path] of Object.entries(READS)) {
      const rate = (base: string) => () =>
        requestsPerSecond({ url: `${base}${path}`, headers, connections: CONNECTIONS, seconds: SECONDS });
      findings.push(
        beside({
          what: `Read of ${what}, requests/s`,
          ...(await inTurns(ROUNDS, rate(url), rate(mock.url))),
          is: 'Prism, answering from our OpenAPI document without a database',
          target: { atLeast: 2 },
        }),
      );
    }
    return findings;
  } finally {
    mock.stop();
    await close();
  }
}
