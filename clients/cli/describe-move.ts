import type { Answer } from '../sdk/index.ts';
import { describeShare } from './progress.ts';

type Clock = Answer<'GET /operator/v1/clock'>;

const inMinutes = (iso: string): string => iso.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ');

/** Progress in domain time, because the remaining work is unknown. The seconds keep counting during a long step. */
export function describeMove(
  { now, ran = 0, movingFrom = now }: Clock,
  movingTo: string,
  sinceMs: number,
): string[] {
  const [begin, end] = [Date.parse(movingFrom), Date.parse(movingTo)];
  const share = end > begin ? [describeShare((Date.parse(now) - begin) / (end - begin))] : [];
  const seconds = Math.round((performance.now() - sinceMs) / 1_000);
  // A slow move ends beyond the requested time, because it also catches up with its own duration.
  const until = now > movingTo ? now : movingTo;
  return [...share, inMinutes(now), `${seconds} s`, `to ${inMinutes(until)}`, `${ran} done`];
}
