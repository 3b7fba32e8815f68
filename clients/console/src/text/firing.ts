import type { Firing } from '../api/overview.ts';
import { formatBytes, formatNumber } from './format.ts';

const isBytes = ({ levelKind }: Pick<Firing, 'levelKind'>): boolean =>
  levelKind === 'bytes' || levelKind === 'suspendBytes' || levelKind === 'poolBelow';

/** Why a trigger fired, in a few words. */
export function reasonOf(
  firing: Pick<Firing, 'kind' | 'levelKind' | 'level' | 'threshold' | 'after' | 'subject'>,
): string {
  const { kind, levelKind, level, threshold, after } = firing;
  if (levelKind === 'percent') {
    const counted =
      kind === 'usage' ? `${formatNumber(after)} of ${formatNumber(threshold)}` : formatBytes(after);
    return `${formatNumber(level)} % reached: ${counted}`;
  }
  if (levelKind === 'billCycles') return `${formatNumber(level)} billing months passed`;
  if (levelKind === 'poolBelow') return `${formatBytes(after)} left, below ${formatBytes(threshold)}`;
  return isBytes(firing)
    ? `${formatBytes(after)} used, beyond ${formatBytes(threshold)}`
    : `${formatNumber(after)}, beyond ${formatNumber(threshold)}`;
}
