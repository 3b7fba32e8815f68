import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber } from '../../text/format.ts';
import { type Fleet, timeOf } from './fleet.ts';

/** What is known of the point under the mouse. */
export function DeviceTip({
  fleet,
  nth,
  at: [left, top],
}: {
  readonly fleet: Fleet;
  readonly nth: number;
  readonly at: readonly [number, number];
}) {
  return (
    <div className="chart-tip map-tip" style={{ left, top }}>
      <strong>{fleet.names[nth]}</strong>
      <br />
      <TimeAgo at={timeOf(fleet, nth)} />, within {formatNumber(fleet.radii[nth] ?? 0)} m
    </div>
  );
}
