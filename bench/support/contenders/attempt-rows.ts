import type pg from 'pg';
import type { MadeAttempt } from './contender.ts';

/** The same table as ours, for queues without one. */
export const ATTEMPT_TABLE = `
  create table callback_attempt (
    ecpd_id text not null, message_id uuid not null, series smallint not null, attempt smallint not null,
    at timestamptz not null, status smallint, latency_ms int not null, error text, answer text not null,
    primary key (ecpd_id, message_id, series, attempt))`;

const INSERT = `
  insert into callback_attempt
  select '9000001', m, 1, 1, at, status, latency_ms, error, answer
  from unnest($1::uuid[], $2::timestamptz[], $3::smallint[], $4::int[], $5::text[], $6::text[])
    as made (m, at, status, latency_ms, error, answer)`;

export const writeAttempts = (pool: pg.Pool, made: readonly MadeAttempt[]) =>
  pool.query({
    name: 'attempts',
    text: INSERT,
    values: [
      made.map(({ messageId }) => messageId),
      made.map(({ at }) => at),
      made.map(({ outcome }) => outcome.status),
      made.map(({ outcome }) => Math.round(outcome.latencyMs)),
      made.map(({ outcome }) => outcome.error),
      made.map(({ outcome }) => outcome.answer),
    ],
  });

const FLUSH_MS = 10;

/** For queues whose jobs end separately: each job waits until its row is durable, and rows share statements. */
export function createAttemptBatcher(pool: pg.Pool): (made: MadeAttempt) => Promise<void> {
  let waiting: {
    readonly made: MadeAttempt;
    readonly done: () => void;
    readonly failed: (e: Error) => void;
  }[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    const written = writeAttempts(
      pool,
      batch.map(({ made }) => made),
    );
    for (const { done, failed } of batch) written.then(() => done(), failed);
  };
  return (made) =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setTimeout(flush, FLUSH_MS);
      waiting.push({ made, done, failed });
    });
}
