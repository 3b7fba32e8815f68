import { formatPercent } from '../text/format.ts';

const WARN_FROM = 0.8;

/** A bar for the used share; full at 100 % and above. */
export function Meter({
  part,
  whole,
  label,
  plain = false,
}: {
  readonly part: number;
  readonly whole: number;
  readonly label: string;
  /** Reaching the whole is normal and needs no warning. */
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
