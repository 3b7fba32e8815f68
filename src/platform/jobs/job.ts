import type { Static, TSchema } from 'typebox';
import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import type { Ctx, Tenant } from '../context/context.ts';

/** The result of a run: done, or to be run again at a later domain time. */
export type JobOutcome = undefined | { readonly againAt: Date };

export interface JobRun {
  readonly jobId: string;
  readonly ecpdId: string;
  readonly attempt: number;
  /** Aborted when the lease is lost or the process stops: stop at the next safe point. */
  readonly signal: AbortSignal;
}

export interface JobKind<S extends TSchema = TSchema> {
  readonly kind: string;
  readonly schema: S;
  readonly attemptsMax: number;
  /**
   * `transaction`: the handler's writes and the end of the job commit together, so a crash repeats
   * nothing. `steps`: the handler owns its transactions and must be safe to repeat.
   */
  readonly commits: 'transaction' | 'steps';
  run(ctx: Ctx, payload: Static<S>, run: JobRun): Promise<JobOutcome>;
  /**
   * Most of its time the job waits for another system, and holds no connection while it waits. Such jobs have places of their
   * own, so that a slow system does not delay the other jobs.
   */
  readonly waitsOutside?: boolean;
  /** Called after the last failed attempt, before the job is given up, for those that wait for its result. */
  onGivenUp?(ctx: Ctx, payload: Static<S>, run: Pick<JobRun, 'ecpdId'>): Promise<void>;
  /** Set on recurring jobs, which exist once for the whole service. */
  readonly everyMs?: number;
  /** Set on recurring jobs that only delete old rows: the first run is one interval later, and most stops of a move have none. */
  readonly isPurge?: boolean;
}

export const defineJob = <S extends TSchema>(job: JobKind<S>): JobKind<S> => job;

/** Jobs of the service itself belong to no profile. */
export const NO_PROFILE = '';

/** The account of a job, whose name is in the payload. */
export function tenantOf(ecpdId: string, accountName: string): Tenant {
  if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the job names no account');
  return { ecpdId, accountName };
}

const BACKOFF_FIRST_MS = 2_000;
const BACKOFF_MAX_MS = 5 * 60_000;

/** `attempt` is the number of the attempt that has just failed. */
export const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.max(0, attempt - 1));
