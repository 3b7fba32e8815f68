import { type FaultKind, refuse } from '../context/fault.ts';

/** A request is kept for this long after its end, because its callbacks can be sent again for that long. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** Requests that ended before this time are no longer kept. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

const RETRY_AFTER_S = 30;

/** Refuses another request if `openMax` are open already; `countOpen` may stop counting at its argument. */
export async function refuseBeyond(
  openMax: number,
  countOpen: (max: number) => Promise<number>,
  tooMany: FaultKind,
): Promise<void> {
  if ((await countOpen(openMax)) >= openMax)
    refuse(tooMany, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
