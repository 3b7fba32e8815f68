import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findAccountWithPlans } from '../src/features/plans/sql.ts';
import type { Db } from '../src/platform/db/db.ts';
import type { Query } from '../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { ACCOUNT, basic, CLIENT, SMALL_FLEET, USER } from '../test/support/fleet.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../test/support/service-process.ts';
import { requestsPerSecond } from './support/load.ts';
import type { Finding } from './support/report.ts';
import { median, show, spread } from './support/statistics.ts';

const ROUNDS = 5;
const SECONDS = 5;
const CONNECTIONS = 64;
const DB_CONNECTIONS = 10;
const OPERATOR_KEY = 'operator-key-for-the-bench';

/** The very statement that the service sends, so that both answer the same row. */
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

async function tokens(base: string) {
  const token = await fetch(`${base}/ts/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: basic(CLIENT) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const authorization = `Bearer ${access_token}`;
  const session = await fetch(`${base}/m2m/v1/session/login`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(USER),
  });
  return {
    authorization,
    'svc-m2m-token': ((await session.json()) as { sessionToken: string }).sessionToken,
  };
}

/** An authenticated read of one row against a bare handler that does only its SELECT, in alternating rounds. */
export async function authenticatedRead(): Promise<Finding[]> {
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  const service = await startServiceProcess(makeDataDir(), {
    DATABASE_URL: postgres.url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
    LINEKEEPER_DB_CONNECTIONS: String(DB_CONNECTIONS),
    LINEKEEPER_LOG_LEVEL: 'warn',
  });
  const authorization = `Bearer ${OPERATOR_KEY}`;
  await fetch(`${service.url}/operator/v1/import`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(SMALL_FLEET),
  });
  const headers = await tokens(service.url);
  const bare = await startBare(postgres.url);
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const ours = () =>
    requestsPerSecond({ ...load, url: `${service.url}/m2m/v1/accounts/${ACCOUNT}`, headers });
  const theirs = () => requestsPerSecond({ ...load, url: bare.url });

  const rates: { ours: number; theirs: number }[] = [];
  await ours();
  await theirs();
  for (let round = 0; round < ROUNDS; round++) {
    // Alternating order: whatever else the machine does falls on both.
    const first = round % 2 === 0 ? await ours() : await theirs();
    const second = round % 2 === 0 ? await theirs() : await ours();
    rates.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  bare.stop();
  await service.stop();
  await postgres.stop();
  await lock.release();
  removeDataDir(dataDir);
  removeDataDir(service.dataDir);

  const ratios = rates.map((round) => round.ours / round.theirs);
  return [
    {
      what: 'Authenticated read of one row, requests/s',
      ours: show(median(rates.map((round) => round.ours))),
      against: `${show(median(rates.map((round) => round.theirs)))} (bare Fastify handler, same SELECT)`,
      ratio: `${show(median(ratios))} (${spread(ratios)})`,
      target: 'at least 0.8',
      met: median(ratios) >= 0.8,
    },
  ];
}
