import type { Static, TSchema } from 'typebox';
import { isAccountName, isEcpdId } from '../../kernel/account-name.ts';
import type { Ctx, Tenant } from '../context/context.ts';

/** What a run of a job asks for next: nothing, or to be run again at a later domain time. */
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
   * Spends its time waiting for somebody outside, and holds no connection while it waits: such jobs run beside the
   * others, so that a slow outside does not take their places.
   */
  readonly waitsOutside?: boolean;
  /** Called when the last attempt has failed, before the job is given up: for whoever waits for its result. */
  onGivenUp?(ctx: Ctx, payload: Static<S>, run: Pick<JobRun, 'ecpdId'>): Promise<void>;
  /** Set on jobs that exist once for the whole service and come back by themselves. */
  readonly everyMs?: number;
}

export const defineJob = <S extends TSchema>(job: JobKind<S>): JobKind<S> => job;

/** Jobs of the service itself belong to no profile. */
export const NO_PROFILE = '';

/** The account that a job is about, whose name is in its payload. */
export function tenantOf(ecpdId: string, accountName: string): Tenant {
  if (!isEcpdId(ecpdId) || !isAccountName(accountName)) throw new Error('the job names no account');
  return { ecpdId, accountName };
}

const BACKOFF_FIRST_MS = 2_000;
const BACKOFF_MAX_MS = 5 * 60_000;

/** `attempt` counts the one that has just failed. */
export const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.max(0, attempt - 1));
