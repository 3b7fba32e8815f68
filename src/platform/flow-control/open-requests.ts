import { type FaultKind, refuse } from '../context/fault.ts';

/** After its end a request is known for this long, as long as its callbacks can be sent again. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** What ended before this is no longer known to anybody. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

const RETRY_AFTER_S = 30;

/** Refuses one more request where as many as may be open at once are; `countOpen` may stop counting at what it is given. */
export async function refuseBeyond(
  openMax: number,
  countOpen: (max: number) => Promise<number>,
  tooMany: FaultKind,
): Promise<void> {
  if ((await countOpen(openMax)) >= openMax)
    refuse(tooMany, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
