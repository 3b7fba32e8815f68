import { IsDateTime } from 'typebox/format';
import type { Ctx } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { DeviceKey } from '../../devices/index.ts';
import { notBefore } from '../consent.ts';
import { type ConsentInterval, toIntervals } from './intervals.ts';
import { findArrival, listLedger } from './sql-ledger.ts';

/** Changes in one answer; the next answer continues at its end. */
const CHANGES_MAX = 1_000;
const DEFAULT_RANGE_MS = 30 * 24 * 3_600_000;

export interface ConsentHistory {
  readonly from: Date;
  readonly to: Date;
  readonly intervals: readonly ConsentInterval[];
  /** True if there are more changes before the `to` of the request: ask again from this answer's `to`. */
  readonly hasMoreData: boolean;
}

function parseTime(text: string | undefined, otherwise: Date, invalid: FaultKind): Date {
  if (text === undefined) return otherwise;
  return IsDateTime(text) ? new Date(text) : refuse(invalid, { reason: 'from and to are dates with time' });
}

/**
 * When a device could be located, and on which consent. The history ends now, because later consents are unknown. It
 * begins when the device came to its account, because another account decided before.
 */
export async function getConsentHistory(
  ctx: Ctx,
  device: DeviceKey,
  range: { readonly from?: string | undefined; readonly to?: string | undefined },
  invalid: FaultKind,
): Promise<ConsentHistory> {
  const now = ctx.now();
  const wanted = parseTime(range.to, now, invalid);
  const until = wanted < now ? wanted : now;
  const given = parseTime(range.from, new Date(until.getTime() - DEFAULT_RANGE_MS), invalid);
  if (given > wanted) refuse(invalid, { reason: 'from is after to' });
  const from = notBefore(given, (await findArrival(ctx.db, device)) ?? given);
  if (from >= until) return { from, to: from, intervals: [], hasMoreData: false };
  const entries = await listLedger(ctx.db, device, { from, to: until, limit: CHANGES_MAX + 1 });
  // The answer ends at the first change that does not fit, so all changes of one point in time are in the same answer.
  const end = entries.filter(({ at }) => at > from)[CHANGES_MAX]?.at;
  const to = end ?? until;
  return { from, to, intervals: toIntervals(entries, from, to), hasMoreData: end !== undefined };
}
