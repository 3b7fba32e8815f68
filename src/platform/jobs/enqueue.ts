import type { Static, TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import { sql } from '../db/sql.ts';
import { type JobKind, NO_PROFILE } from './job.ts';
import { JOB_CHANNEL } from './sql.ts';

/**
 * Call this in the transaction that makes the work necessary, so that both commit together. Many jobs of one profile are
 * inserted by one statement, as one row of values with lists: a cluster writes such a row only on the profile's server,
 * even without a profile. Does nothing for a key that is already waiting or running.
 */
export const enqueueJobs = <S extends TSchema>(
  { db, now, newId, requestId, trace, clock }: Ctx,
  { kind, attemptsMax }: Pick<JobKind<S>, 'kind' | 'schema' | 'attemptsMax'>,
  ecpdId: string,
  entries: readonly { readonly payload: Static<S>; readonly dueAt?: Date; readonly key?: string }[],
) =>
  db.exec(sql`
    with made as (
      insert into job
        (ecpd_id, job_id, kind, key, payload, due_at, attempts_max, request_id, trace, move_nr, created_at)
      values (${ecpdId}, unnest(${entries.map(() => newId())}::uuid[]), ${kind},
        unnest(${entries.map(({ key }) => key ?? null)}::text[]),
        unnest(${entries.map(({ payload }) => JSON.stringify(payload))}::jsonb[]),
        unnest(${entries.map(({ dueAt }) => dueAt ?? now())}::timestamptz[]), ${attemptsMax}, ${requestId}, ${trace ?? null},
        ${clock.moveNr()}, ${now()})
      on conflict do nothing returning job_id)
    select pg_notify(${JOB_CHANNEL}, '') from made limit 1`);

/** The calls for which a new service was started come first. */
const FIRST_MS = 60_000;

/** Recurring jobs exist once, whichever process starts first. */
export const enqueueRecurring = (
  { db, now, newId, requestId, clock }: Ctx,
  list: readonly Pick<JobKind, 'kind' | 'attemptsMax' | 'everyMs' | 'isPurge'>[],
) =>
  db.exec(sql`
    with made as (
      insert into job
        (ecpd_id, job_id, kind, key, payload, due_at, attempts_max, request_id, move_nr, created_at)
      values (${NO_PROFILE}, unnest(${list.map(() => newId())}::uuid[]), unnest(${list.map(({ kind }) => kind)}::text[]),
        'recurring', '{}', unnest(${list.map((job) => firstDueAt(job, now()))}::timestamptz[]),
        unnest(${list.map(({ attemptsMax }) => attemptsMax)}::int[]), ${requestId}, ${clock.moveNr()}, ${now()})
      on conflict do nothing returning job_id)
    select pg_notify(${JOB_CHANNEL}, '') from made limit 1`);

const firstDueAt = ({ everyMs = 0, isPurge = false }: Pick<JobKind, 'everyMs' | 'isPurge'>, now: Date) =>
  new Date(now.getTime() + (isPurge ? everyMs : Math.min(FIRST_MS, everyMs)));
