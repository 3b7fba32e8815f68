import type { Answer } from '../sdk/index.ts';
import { describeShare } from './progress.ts';

type Clock = Answer<'GET /operator/v1/clock'>;

const inMinutes = (iso: string): string => iso.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ');

/** How far the time itself has come: what is still to do is found out on the way. The seconds go on also where a step takes long. */
export function describeMove(
  { now, ran = 0, movingFrom = now }: Clock,
  movingTo: string,
  sinceMs: number,
): string[] {
  const [begin, end] = [Date.parse(movingFrom), Date.parse(movingTo)];
  const share = end > begin ? [describeShare((Date.parse(now) - begin) / (end - begin))] : [];
  const seconds = Math.round((performance.now() - sinceMs) / 1_000);
  // A slow move has in the end to make up for the time that it took itself: it goes on beyond what was asked for.
  const until = now > movingTo ? now : movingTo;
  return [...share, inMinutes(now), `${seconds} s`, `to ${inMinutes(until)}`, `${ran} done`];
}
