import { useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ReportEntry } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { toFleet } from '../../map/fleet.ts';
import { boundsOf } from '../../map/mercator.ts';
import { useCamera } from '../../map/use-camera.ts';
import { useFleetLayer } from '../../map/use-fleet-layer.ts';
import { useMap } from '../../map/use-map.ts';
import { formatNumber } from '../../text/format.ts';
import { entryIso } from './report-csv.ts';

const ONE_COLOUR = 1;

/** The positions of a report for the map; devices without one appear only in the table. */
function located(entries: readonly ReportEntry[]) {
  const found = entries.filter(({ pd }) => pd.x !== undefined && pd.y !== undefined);
  return toFleet([
    {
      ids: found.map(({ deviceId }) => deviceId),
      names: found.map(({ msid }) => msid),
      latitudes: found.map(({ pd }) => Number(pd.x)),
      longitudes: found.map(({ pd }) => Number(pd.y)),
      radii: found.map(({ pd }) => Number(pd.radius ?? 0)),
      times: found.map((entry) => Date.parse(entryIso(entry) ?? '') / 1_000),
      states: found.map(() => ONE_COLOUR),
    },
  ]);
}

/** The devices of a report on a map. */
export default function ReportMap({ entries }: { readonly entries: readonly ReportEntry[] | undefined }) {
  const accountName = useAccount();
  const [, goTo] = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const fleet = useMemo(() => located(entries ?? []), [entries]);
  const isKnown = entries !== undefined;
  const bounds = useMemo(
    () => (isKnown ? boundsOf(fleet.latitudes, fleet.longitudes) : undefined),
    [isKnown, fleet],
  );
  const tones = useMemo(() => new Uint8Array(fleet.ids.length).fill(ONE_COLOUR), [fleet]);
  const state = useMap(box, bounds, `Map of ${formatNumber(fleet.ids.length)} positions of the report`);
  useCamera(state.kind === 'ready' ? state.ready : undefined, bounds);
  const onDevice = (deviceId: string) => goTo(`/accounts/${accountName}/devices/${deviceId}`);
  const { seen } = useFleetLayer({ box, state, fleet, tones, onDevice });
  return (
    <div className="card map-box report-map">
      {state.kind === 'failed' && <p className="note">{state.why}</p>}
      <div className="map-canvas" ref={box} hidden={state.kind === 'failed'} />
      <p className="report-count small" role="status">
        {formatNumber(fleet.ids.length)} located, {formatNumber(seen.inView)} in view
      </p>
    </div>
  );
}
