import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findAccountWithPlans } from '../src/features/plans/sql.ts';
import type { Db } from '../src/platform/db/db.ts';
import type { Query } from '../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { requestsPerSecond } from './support/load.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { openServiceScene } from './support/service-scene.ts';

const ROUNDS = roundsOr(5);
const SECONDS = 5;
const CONNECTIONS = 64;
const DB_CONNECTIONS = 10;

/** The same statement that the service sends, so that both return the same row. */
async function statementOf(): Promise<Query> {
  let sent: Query | undefined;
  const spy = {
    async maybe(query: Query) {
      sent = query;
    },
  } as unknown as Db;
  await findAccountWithPlans(spy, { ecpdId: '9000001', accountName: ACCOUNT } as never);
  return sent!;
}

async function startBare(databaseUrl: string) {
  const { text, values } = await statementOf();
  const child = spawn(process.execPath, ['bench/support/bare-server.ts'], {
    env: {
      ...process.env,
      BENCH_DATABASE_URL: databaseUrl,
      BENCH_QUERY: text,
      BENCH_VALUES: JSON.stringify(values),
      BENCH_CONNECTIONS: String(DB_CONNECTIONS),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { url: `${/on (\S+)/.exec(line)![1]}/bare`, stop: () => child.kill() };
}

/**
 * Compares an authenticated read of one row with a bare handler that does only its SELECT, in alternating rounds. Then compares
 * the same read with and without the request log.
 */
export async function authenticatedRead(): Promise<Finding[]> {
  const settings = { LINEKEEPER_DB_CONNECTIONS: String(DB_CONNECTIONS) };
  const scene = await openServiceScene('authenticated_read', SMALL_FLEET, settings);
  const { databaseUrl, headers } = scene;
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const readOf = (url: string) => () =>
    requestsPerSecond({ ...load, url: `${url}/m2m/v1/accounts/${ACCOUNT}`, headers });

  const bare = await startBare(databaseUrl);
  const rates = await inTurns(ROUNDS, readOf(scene.url), () => requestsPerSecond({ ...load, url: bare.url }));
  bare.stop();
  const logging = await startService(databaseUrl, { ...settings, LINEKEEPER_REQUEST_LOG: '10000' });
  const logged = await inTurns(ROUNDS, readOf(logging.url), readOf(scene.url));
  await logging.stop();
  await scene.close();

  return [
    beside({
      what: 'Authenticated read of one row, requests/s',
      ...rates,
      is: 'a bare Fastify handler with the same SELECT',
      target: { atLeast: 0.95 },
    }),
    beside({
      what: 'Authenticated read with the log of requests, requests/s',
      ...logged,
      is: 'the same read without the log',
      target: { atLeast: 0.9 },
    }),
  ];
}
