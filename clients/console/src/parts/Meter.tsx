import { formatPercent } from '../text/format.ts';

const WARN_FROM = 0.8;

/** How much of a whole is used; beyond it the bar is full. */
export function Meter({
  part,
  whole,
  label,
  plain = false,
}: {
  readonly part: number;
  readonly whole: number;
  readonly label: string;
  /** A whole that may well be reached: nothing to warn of. */
  readonly plain?: boolean;
}) {
  const share = whole <= 0 ? 0 : part / whole;
  const tone = plain ? 'none' : share >= 1 ? 'bad' : share >= WARN_FROM ? 'warn' : 'none';
  return (
    <span
      className="meter"
      data-tone={tone}
      role="img"
      aria-label={`${label}: ${formatPercent(part, whole)}`}
    >
      <span style={{ width: `${Math.min(100, share * 100)}%` }} />
    </span>
  );
}
