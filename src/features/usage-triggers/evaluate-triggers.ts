import type { ServiceChange } from '../usage/index.ts';
import { thresholdOf } from './usage-trigger.ts';

/** Where a counter reached a level. */
export interface Crossing {
  readonly before: number;
  readonly after: number;
  readonly threshold: number;
  /** Which request or record it was. */
  readonly ref: string;
}

/**
 * The use that reached the percentage, if one of these did or an earlier one had: a counter that was beyond an edited
 * threshold already reaches it with the next use.
 */
export function findCrossing(
  { before, after, refs }: Pick<ServiceChange, 'before' | 'after' | 'refs'>,
  thresholdPercent: number,
  allowed: number,
): Crossing | undefined {
  const threshold = thresholdOf(thresholdPercent, allowed);
  if (allowed <= 0 || after < threshold) return undefined;
  const nth = Math.max(Math.ceil(threshold) - before, 1);
  return { before: before + nth - 1, after: before + nth, threshold, ref: refs[nth - 1]! };
}
