import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/platform/db/db.ts';
import { trusted } from '../../src/platform/db/sql.ts';
import { changeTriggers } from './triggers.ts';
import type { World } from './world.ts';

/** Requests a path of a process. */
type Ask = (path: string) => Promise<{ statusCode: number; body: string; json<T>(): T }>;
interface Answer {
  readonly status: string;
  readonly reason?: string;
  readonly failing?: readonly { readonly check: string; readonly reason: string }[];
}

/** All recurring work of a process with the role `all` or `worker`. */
export async function startWork({ engine, delivery, notifier, watcher, dueWork }: World): Promise<void> {
  await engine.start();
  for (const part of [delivery, notifier, watcher, dueWork]) part.start();
}

export async function readReadiness(ask: Ask): Promise<Answer & { readonly code: number }> {
  const answer = await ask('/health/ready');
  return { code: answer.statusCode, ...answer.json<Answer>() };
}

export async function metricOf(ask: Ask, series: string): Promise<number | undefined> {
  const { body } = await ask('/metrics');
  const line = body.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

/** Waits until this check fails, and returns its reason. */
export async function untilFailing(ask: Ask, check: string) {
  const until = Date.now() + 30_000;
  for (;;) {
    const answer = await readReadiness(ask);
    const failing = answer.failing?.find((each) => each.check === check);
    if (failing !== undefined) return { ...answer, failing };
    assert.ok(Date.now() < until, `${check} did not fail: ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}

export async function untilReady(ask: Ask): Promise<void> {
  const until = Date.now() + 30_000;
  for (let answer = await readReadiness(ask); answer.code !== 200; answer = await readReadiness(ask)) {
    assert.ok(Date.now() < until, JSON.stringify(answer));
    await sleep(50);
  }
}

/** Polls for this long. */
export async function staysReady(ask: Ask, forMs: number): Promise<void> {
  for (const until = Date.now() + forMs; Date.now() < until; await sleep(50))
    assert.deepEqual(await readReadiness(ask), { code: 200, status: 'ready' });
}

let breaks = 0;
/** From now on, writes to the table fail or are silently dropped. Returns the function that repairs it. */
export async function breakWrites(
  db: Db,
  { table, on, when, silently = false }: { table: string; on: string; when?: string; silently?: boolean },
): Promise<() => Promise<void>> {
  const name = `broken_${++breaks}`;
  const run = (...texts: readonly string[]) => changeTriggers(db, ...texts.map(trusted));
  const act = silently ? 'return null' : `raise exception 'broken by a test: %', old`;
  const condition = when === undefined ? '' : `when (${when})`;
  await run(
    `create function ${name}() returns trigger language plpgsql as $$ begin ${act}; end $$`,
    `create trigger ${name} before ${on} on ${table} for each row ${condition} execute function ${name}()`,
  );
  return () => run(`drop trigger ${name} on ${table}`, `drop function ${name}`);
}
