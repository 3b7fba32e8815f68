import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Fixes, listFixes } from '../../api/devices.ts';
import { useAccount } from '../../app/account.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty, Problem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import './devices.css';

const FIXES_SHOWN = 200;
const LISTED = 50;
const TRACK = { width: 320, height: 140, margin: 10 };
/** Smallest extent drawn, so that a device at rest shows as a point without its noise. */
const SPAN_MIN = 0.002;

type Fix = Fixes['fixes'][number];

/** The track as a map with north up, and degrees of longitude scaled for the latitude. */
function toPoints(fixes: readonly Fix[]): readonly (readonly [number, number])[] {
  const latitudes = fixes.map(({ latitude }) => latitude);
  const middle = latitudes.reduce((sum, one) => sum + one, 0) / fixes.length;
  const shrink = Math.cos((middle * Math.PI) / 180);
  const places = fixes.map(({ latitude, longitude }) => [longitude * shrink, -latitude] as const);
  const box = [0, 1].map((axis) => {
    const values = places.map((place) => place[axis as 0 | 1]);
    return [Math.min(...values), Math.max(...values)] as const;
  });
  const [[left, right], [top, bottom]] = box as [readonly [number, number], readonly [number, number]];
  const { width, height, margin } = TRACK;
  const scale = Math.min(
    (width - 2 * margin) / Math.max(right - left, SPAN_MIN),
    (height - 2 * margin) / Math.max(bottom - top, SPAN_MIN),
  );
  return places.map(([x, y]) => [
    width / 2 + (x - (left + right) / 2) * scale,
    height / 2 + (y - (top + bottom) / 2) * scale,
  ]);
}

function Track({ fixes }: { readonly fixes: readonly Fix[] }) {
  const points = toPoints(fixes);
  const last = points[0]!;
  return (
    <svg
      className="track"
      viewBox={`0 0 ${TRACK.width} ${TRACK.height}`}
      role="img"
      aria-label={`Track of the last ${formatNumber(fixes.length)} fixes, north up`}
    >
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      <circle cx={last[0]} cy={last[1]} r={5} />
    </svg>
  );
}

const placeOf = ({ latitude, longitude }: Fix): string => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

function Known({ fixes, shown }: Pick<Fixes, 'fixes' | 'shown'>) {
  const last = fixes[0]!;
  return (
    <div className="stack">
      <p>
        <strong className="mono">{placeOf(last)}</strong> within {formatNumber(Math.round(last.radiusM))} m,{' '}
        <TimeAgo at={last.at} />
        {shown === 'coarse' && <span className="small soft"> Consent allows coarse positions only.</span>}
      </p>
      <Track fixes={fixes} />
      <div className="table-scroll fixes">
        <table className="plain-table" aria-label="Fixes">
          <thead>
            <tr>
              <th>When</th>
              <th>Where</th>
              <th className="right">Within</th>
            </tr>
          </thead>
          <tbody>
            {fixes.slice(0, LISTED).map((fix) => (
              <tr key={`${fix.at} ${fix.accuracy}`}>
                <td>{formatTime(fix.at)}</td>
                <td className="mono">{placeOf(fix)}</td>
                <td className="right">{formatNumber(Math.round(fix.radiusM))} m</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The device's positions, as precise as its consent allows now. */
export function WhereCard({ deviceId }: { readonly deviceId: string }) {
  const accountName = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: ['positions', accountName, deviceId],
    queryFn: ({ signal }) => listFixes(accountName, deviceId, FIXES_SHOWN, signal),
  });
  return (
    <Card
      title="Positions"
      span={6}
      aside={<Link href={`/accounts/${accountName}/map?device=${deviceId}`}>Show on map</Link>}
    >
      <div style={{ minHeight: 300 }}>
        {error !== null && data === undefined && <Problem error={error} retry={() => void refetch()} />}
        {error === null && data === undefined && <Skeleton height={240} />}
        {data?.shown === 'withheld' && (
          <Empty title="Withheld">There is no consent for locating this device.</Empty>
        )}
        {data !== undefined && data.shown !== 'withheld' && data.fixes.length === 0 && (
          <Empty title="Never located">Locate it, or feed positions for it.</Empty>
        )}
        {data !== undefined && data.fixes.length > 0 && <Known fixes={data.fixes} shown={data.shown} />}
      </div>
    </Card>
  );
}
