import { useQuery } from '@tanstack/react-query';
import type { Feature } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { readTrack, type TrackFix } from '../../api/positions.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { boundsOf } from '../../map/mercator.ts';
import { circleAt, pointAt } from '../../map/overlay.ts';
import type { ReadyMap } from '../../map/use-map.ts';
import { Button } from '../../parts/Button.tsx';
import { ErrorText } from '../../parts/states.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';

const DAY_MS = 86_400_000;
const SPANS = [
  { label: 'Last day', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
] as const;
const STEP_MS = 400;

const placeOf = ({ longitude, latitude }: TrackFix): [number, number] => [longitude, latitude];

function featuresOf(fixes: readonly TrackFix[], upTo: number): readonly Feature[] {
  const gone = fixes.slice(0, upTo + 1).map(placeOf);
  const line: Feature = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'LineString', coordinates: gone },
  };
  return [...(gone.length > 1 ? [line] : []), ...gone.map((place) => pointAt(place, {}))];
}

/** Draws the track up to the nth fix, and removes it on unmount. */
function useDrawnTrack({ overlay }: ReadyMap, fixes: readonly TrackFix[], nth: number): void {
  useEffect(() => {
    const fix = fixes[nth];
    overlay.set('track', featuresOf(fixes, nth));
    overlay.set(
      'chosen',
      fix === undefined ? [] : [pointAt(placeOf(fix), {}), circleAt(placeOf(fix), fix.radiusM, 0)],
    );
  }, [overlay, fixes, nth]);
  useEffect(
    () => () => {
      overlay.set('track', []);
      overlay.set('chosen', []);
    },
    [overlay],
  );
}

const NO_FIXES: readonly TrackFix[] = [];

function Player({ fixes, ready }: { readonly fixes: readonly TrackFix[]; readonly ready: ReadyMap }) {
  const last = fixes.length - 1;
  const [nth, setNth] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  useDrawnTrack(ready, fixes, nth);
  useEffect(() => {
    const places = [fixes.map(({ latitude }) => latitude), fixes.map(({ longitude }) => longitude)] as const;
    ready.fit(boundsOf(...places));
  }, [ready, fixes]);
  useEffect(() => {
    if (!isPlaying) return;
    if (nth >= last) return setPlaying(false);
    const timer = setTimeout(() => setNth(nth + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, nth, last]);
  const play = () => {
    if (!isPlaying && nth >= last) setNth(0);
    setPlaying(!isPlaying);
  };
  return (
    <>
      <div className="row map-track">
        <Button onClick={play} aria-label={isPlaying ? 'Pause the track' : 'Play the track'}>
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <input
          type="range"
          min={0}
          max={last}
          value={nth}
          aria-label="Time of the track"
          aria-valuetext={formatTime(fixes[nth]!.at)}
          onChange={(event) => {
            setPlaying(false);
            setNth(Number(event.target.value));
          }}
        />
      </div>
      <p className="small number">
        {formatTime(fixes[nth]!.at)} ({formatNumber(nth + 1)} of {formatNumber(fixes.length)})
      </p>
    </>
  );
}

/** The past positions of a device as a line on the map that can be played back. */
export function TrackPlayer({ deviceId, ready }: { readonly deviceId: string; readonly ready: ReadyMap }) {
  const accountName = useAccount();
  const now = useNow();
  const [asked, setAsked] = useState<{ readonly days: number; readonly from: number } | undefined>();
  const { data, error, isFetching } = useQuery({
    queryKey: ['positions', accountName, 'track', deviceId, asked?.from],
    queryFn: ({ signal }) => readTrack(accountName, deviceId, asked!.from, signal),
    enabled: asked !== undefined,
  });
  // The service answers newest first; playback starts with the oldest.
  const fixes = useMemo(() => data?.fixes.toReversed() ?? NO_FIXES, [data]);
  return (
    <div className="stack map-tracks">
      <label className="row small">
        Track
        <select
          className="input"
          aria-label="Track"
          value={asked?.days ?? ''}
          onChange={({ target: { value } }) =>
            setAsked(
              value === ''
                ? undefined
                : { days: Number(value), from: Math.floor(now) - Number(value) * DAY_MS },
            )
          }
        >
          <option value="">None</option>
          {SPANS.map(({ label, days }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {error !== null && <ErrorText error={error} />}
      {isFetching && data === undefined && <p className="small soft">Loading the track…</p>}
      {data?.shown === 'withheld' && (
        <p className="small">The consent does not allow showing its positions.</p>
      )}
      {data?.shown === 'coarse' && fixes.length > 0 && (
        <p className="small soft">Coarse positions, as the consent allows.</p>
      )}
      {data !== undefined && data.shown !== 'withheld' && fixes.length === 0 && (
        <p className="small">Not located in this time.</p>
      )}
      {fixes.length > 0 && <Player key={data?.fixes[0]?.at} fixes={fixes} ready={ready} />}
    </div>
  );
}
