import type { Static, TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import type { JobKind } from './job.ts';
import { insertJobs } from './sql.ts';

/** Call it inside the transaction that makes the work necessary: the job exists exactly when the fact does. */
export const enqueueJobs = <S extends TSchema>(
  { db, now, newId, requestId, trace, clock }: Ctx,
  job: Pick<JobKind<S>, 'kind' | 'schema' | 'attemptsMax'>,
  ecpdId: string,
  entries: readonly { readonly payload: Static<S>; readonly dueAt?: Date; readonly key?: string }[],
) =>
  insertJobs(
    db,
    ecpdId,
    entries.map(({ payload, dueAt = now(), key = null }) => ({
      ecpdId,
      jobId: newId(),
      kind: job.kind,
      key,
      payload,
      dueAt,
      attemptsMax: job.attemptsMax,
      requestId,
    })),
    { at: now(), trace: trace ?? null, moveNr: clock.moveNr() },
  );
