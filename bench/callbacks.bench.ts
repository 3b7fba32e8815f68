import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createCallbackHttp } from '../src/adapters/callback-http/index.ts';
import { fleetSections } from '../src/app/sections.ts';
import {
  createDeliveryEngine,
  LISTENER_SERVICES,
  postCallbacks,
  type SendCallback,
} from '../src/features/callbacks/index.ts';
import { type Database, openDatabase } from '../src/platform/db/db.ts';
import { migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { sql } from '../src/platform/db/sql.ts';
import { lockDataDir, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { importDocument } from '../src/platform/fleet-document/import-document.ts';
import { makeCtx } from '../test/support/ctx.ts';
import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { makeDataDir, removeDataDir } from '../test/support/service-process.ts';
import type { Finding } from './support/report.ts';
import { median, show, spread } from './support/statistics.ts';

const ROUNDS = 5;
const CALLBACKS = 20_000;
const LANES = 10;
const IN_FLIGHT = 64;
const payload = { deviceResponse: { filler: 'x'.repeat(960) } };

async function startSink(): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/sink.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { url: /on (\S+)/.exec(line)![1]!, stop: () => child.kill() };
}

/** The same POSTs with the same number in flight and no database: what the machine can send at all. */
async function ceiling(send: SendCallback, url: string): Promise<number> {
  const body = JSON.stringify({
    username: 'u',
    password: 'p',
    requestId: 'r',
    ...payload,
    callbackCount: 1,
    maxCallbackThreshold: 4,
  });
  let left = CALLBACKS;
  const before = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) {
        const { status } = await send({
          url,
          body,
          headers: { 'content-type': 'application/json', 'webhook-id': randomUUID() },
        });
        if (status !== 200) throw new Error(`the sink answered ${status}`);
      }
    }),
  );
  return CALLBACKS / ((performance.now() - before) / 1_000);
}

interface ServerCounts {
  readonly commits: number;
  readonly walBytes: number;
}

async function countsOf(db: Database): Promise<ServerCounts> {
  await db.exec(sql`select pg_stat_force_next_flush()`);
  return db.one<ServerCounts>(sql`
    select (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as "walBytes"`);
}

export async function callbacks(): Promise<Finding[]> {
  const dataDir = makeDataDir();
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(
    postgres.url,
    await readMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
  );
  const db = openDatabase(postgres.url, { connections: 10 });
  const ctx = makeCtx(db, new Date());
  ctx.clock.release();
  const sink = await startSink();
  const services = LISTENER_SERVICES.slice(0, LANES);
  const listeners = services.map((serviceName) => ({
    accountName: ACCOUNT,
    serviceName,
    url: `${sink.url}/${serviceName}`,
    username: 'u',
    password: 'p',
  }));
  const document = Buffer.from(JSON.stringify({ ...SMALL_FLEET, listeners }));
  const imported = await importDocument(
    ctx,
    (async function* () {
      yield document;
    })(),
    fleetSections,
  );
  if ('problems' in imported) throw new Error(JSON.stringify(imported.problems));
  const http = createCallbackHttp({ allow: ['loopback'] });

  const deliver = async () => {
    const all = Array.from({ length: CALLBACKS }, (_, n) => ({
      accountName: ACCOUNT,
      serviceName: services[n % LANES]!,
      requestId: `r${n}`,
      payload,
    }));
    await postCallbacks(ctx, '9000001', all);
    await db.exec(sql`vacuum analyze callback_pending`);
    const before = await countsOf(db);
    const engine = createDeliveryEngine(ctx, {
      send: http.send,
      userAgent: 'Linekeeper/bench',
      withhold: async () => new Map(),
    });
    const startedAt = performance.now();
    const sent = await engine.settle();
    const seconds = (performance.now() - startedAt) / 1_000;
    if (sent !== CALLBACKS || engine.counts.acknowledged !== CALLBACKS) throw new Error(`delivered ${sent}`);
    await engine.stop();
    const after = await countsOf(db);
    return {
      rate: CALLBACKS / seconds,
      commits: (after.commits - before.commits) / CALLBACKS,
      wal: (after.walBytes - before.walBytes) / CALLBACKS,
    };
  };

  const rounds: { ours: Awaited<ReturnType<typeof deliver>>; bare: number }[] = [];
  await ceiling(http.send, `${sink.url}/warm-up`);
  await deliver();
  for (let round = 0; round < ROUNDS; round++) {
    const bareFirst = round % 2 === 0 ? await ceiling(http.send, `${sink.url}/bare`) : undefined;
    const ours = await deliver();
    rounds.push({ ours, bare: bareFirst ?? (await ceiling(http.send, `${sink.url}/bare`)) });
  }
  await http.close();
  sink.stop();
  await db.close();
  await postgres.stop();
  await lock.release();
  removeDataDir(dataDir);

  const ratios = rounds.map(({ ours, bare }) => ours.rate / bare);
  const commits = median(rounds.map(({ ours }) => ours.commits));
  const wal = median(rounds.map(({ ours }) => ours.wal));
  return [
    {
      what: 'Callbacks delivered and recorded per second',
      ours: show(median(rounds.map(({ ours }) => ours.rate))),
      against: `${show(median(rounds.map(({ bare }) => bare)))} (the same POSTs, no database)`,
      ratio: `${show(median(ratios))} (${spread(ratios)})`,
      target: 'at least 0.5',
      met: median(ratios) >= 0.5,
    },
    {
      what: 'Commits per delivered callback',
      ours: show(commits),
      against: '',
      ratio: '',
      target: 'at most 0.05',
      met: commits <= 0.05,
    },
    {
      what: 'Write-ahead log per delivered callback, bytes',
      ours: show(wal),
      against: '',
      ratio: '',
      target: 'at most 1,160',
      met: wal <= 1_160,
    },
  ];
}
