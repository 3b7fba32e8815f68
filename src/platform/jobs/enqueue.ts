import type { Static, TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import { sql } from '../db/sql.ts';
import type { JobKind } from './job.ts';
import { JOB_CHANNEL } from './sql.ts';

/**
 * Call it inside the transaction that makes the work necessary: the job exists exactly when the fact does. Many jobs of one
 * profile go in one statement. A key that is already waiting or running is left as it is.
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
      select ${ecpdId}, j.id, ${kind}, j.key, j.payload, j.due_at, ${attemptsMax}, ${requestId}, ${trace ?? null},
        ${clock.moveNr()}, ${now()}
      from unnest(${entries.map(() => newId())}::uuid[], ${entries.map(({ key }) => key ?? null)}::text[],
                  ${entries.map(({ payload }) => JSON.stringify(payload))}::jsonb[],
                  ${entries.map(({ dueAt }) => dueAt ?? now())}::timestamptz[]) as j (id, key, payload, due_at)
      on conflict do nothing returning job_id)
    select pg_notify(${JOB_CHANNEL}, '') from made limit 1`);
