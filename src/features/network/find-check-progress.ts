import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { NO_PROFILE } from '../../platform/jobs/job.ts';
import { findJobState } from '../../platform/jobs/sql-list.ts';
import {
  type CheckSums,
  countLeft,
  countRepairing,
  findProfileOfCheck,
  listSilent,
  sumCheck,
} from './sql-progress.ts';
import { CHECK } from './start-check.ts';

/** The progress of a requested check. */
interface CheckProgress extends Omit<CheckSums, 'accountsFailed'> {
  /** `repairing`: every line was compared, and elements have orders to match the state here. */
  readonly state: 'checking' | 'repairing' | 'done' | 'failed';
  /** Lines of these accounts that differ now. */
  readonly left: number;
  readonly repairing: number;
  /** Elements that gave no answer for a whole batch of lines, and were not asked for the rest. */
  readonly silent: string[];
}

/** The check of one account is a job of its profile; the check of all accounts is a job without a profile. */
async function findState(db: Db, jobId: string): Promise<string | undefined> {
  const ofAll = await findJobState(db, { ecpdId: NO_PROFILE, jobId, kind: CHECK.kind });
  if (ofAll !== undefined) return ofAll;
  const ecpdId = await findProfileOfCheck(db, jobId);
  return ecpdId === undefined ? undefined : findJobState(db, { ecpdId, jobId, kind: CHECK.kind });
}

/** Undefined if there is no such check, or it was deleted. */
export async function findCheckProgress({ db }: Ctx, checkId: string): Promise<CheckProgress | undefined> {
  // The job is read first: then everything it stored before it ended is visible.
  const job = await findState(db, checkId);
  const { accountsFailed, ...sums } = await sumCheck(db, checkId);
  if (job === undefined && sums.accounts === 0) return undefined;
  const [left, repairing, silent] = await Promise.all([
    countLeft(db, checkId),
    countRepairing(db, checkId),
    listSilent(db, checkId),
  ]);
  const stateOf = (): CheckProgress['state'] => {
    if (job === 'waiting' || job === 'running') return 'checking';
    if (job === 'failed') return 'failed';
    if (sums.accountsEnded < sums.accounts) return 'checking';
    if (accountsFailed > 0) return 'failed';
    return repairing > 0 ? 'repairing' : 'done';
  };
  return { ...sums, state: stateOf(), left, repairing, silent };
}
