import type { ClockState } from '../api/sandbox.ts';
import { formatNumber, formatShortTime } from '../text/format.ts';

/** Progress in domain time, because the amount of remaining work is unknown. */
export function MoveProgress({ clock }: { readonly clock: ClockState | undefined }) {
  if (clock?.movingTo === undefined)
    return (
      <span className="move-progress" role="status">
        <progress aria-label="How far the move is" /> Starting…
      </span>
    );
  const { now, movingFrom = now, movingTo, ran = 0, remaining } = clock;
  const [at, from] = [Date.parse(now), Date.parse(movingFrom)];
  // A slow move ends beyond the requested time, because it also catches up with its own duration.
  const to = Math.max(at, Date.parse(movingTo));
  return (
    <span className="move-progress" role="status">
      <progress value={at - from} max={Math.max(1, to - from)} aria-label="How far the move is" />
      <span className="number">
        {formatShortTime(at)} of {formatShortTime(to)} UTC
      </span>
      <span className="soft small number">
        {formatNumber(ran)} done
        {remaining !== undefined && remaining > 0 && `, ${formatNumber(remaining)} due`}
      </span>
    </span>
  );
}
