import { useMemo, useRef, useState } from 'react';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { selectDevices } from '../../app/selection.ts';
import { mayChange, useSession } from '../../app/session.tsx';
import { useFilter } from '../../app/use-filter.ts';
import { RunStrip } from '../../lines/RunStrip.tsx';
import { loadEngine } from '../../map/engine.ts';
import { type Fleet, toFleet } from '../../map/fleet.ts';
import type { Bounds } from '../../map/mercator.ts';
import { useCamera } from '../../map/use-camera.ts';
import { useAfarLayer, useFleetLayer, viewOf } from '../../map/use-fleet-layer.ts';
import { useMap } from '../../map/use-map.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { DeviceCard } from './DeviceCard.tsx';
import { FirstSight } from './FirstSight.tsx';
import { InView } from './InView.tsx';
import { MapBox } from './MapBox.tsx';
import { MapSearch } from './MapSearch.tsx';
import { MapTools } from './MapTools.tsx';
import { MapTrouble, NothingLocated } from './MapTrouble.tsx';
import './map.css';
import { SelectionBar } from './SelectionBar.tsx';
import { type Coloring, toColoring, tonesOf } from './tone-numbers.ts';
import { ask } from './use-afar.ts';
import { useBoxSelect } from './use-box-select.ts';
import { placeAt, useChosen } from './use-chosen.ts';
import { useFleet } from './use-fleet.ts';

// Loaded while the session request is running; its users report a failure.
loadEngine().catch(() => {});
ask(location);

const NO_FLEET = toFleet([]);
const MINUTE_MS = 60_000;
const NEAR_ZOOM = 12;
const PLACE_ZOOM = 9;

/** The colours of all points. Ages are rounded to minutes, so that the map is not repainted every second. */
function useTones(fleet: Fleet | undefined, coloring: Coloring): Uint8Array {
  const minute = Math.floor(useNow() / MINUTE_MS);
  const since = coloring === 'age' ? minute * 60 : 0;
  return useMemo(() => tonesOf(fleet ?? NO_FLEET, coloring, since), [fleet, coloring, since]);
}

/** The last known positions. The page asks nothing of the network and loads nothing from other sites. */
export default function FleetMap() {
  const accountName = useAccount();
  const { say } = useToasts();
  const box = useRef<HTMLDivElement>(null);
  const [named, setColoring] = useFilter('colour');
  const coloring = toColoring(named);
  const {
    fleet,
    first,
    afar,
    located,
    bounds: all,
    readOn,
    isReading,
    error,
    retry,
  } = useFleet(accountName, coloring);
  const tones = useTones(fleet, coloring);
  const count = located ?? 0;
  const label = `Map of ${formatNumber(count)} devices. Arrow keys move it, plus and minus zoom, 0 shows all.`;
  const [isShown, setShown] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const state = useMap(box, first === undefined || isShown ? all : undefined, label);
  const ready = state.kind === 'ready' ? state.ready : undefined;
  const camera = useCamera(ready, all);
  const { nth, isFollowed, choose, follow } = useChosen(ready, fleet);
  const onDrawn = () => setDrawn(true);
  useAfarLayer({
    ...{ box, state, afar },
    onDrawn() {
      onDrawn();
      readOn();
    },
  });
  const { seen, find } = useFleetLayer({ box, state, fleet, tones, onDevice: choose, onDrawn });
  const select = async (bounds: Bounds) => {
    const found = (await find?.(bounds)) ?? new Uint32Array();
    selectDevices(
      accountName,
      Array.from(found, (one) => fleet!.ids[one]!),
    );
    if (found.length === 0) say('No devices in this area');
  };
  const maySelect = mayChange(useSession(), 'fleet');
  const drawn = useBoxSelect(
    maySelect && fleet !== undefined ? ready : undefined,
    (bounds) => void select(bounds),
  );
  const onFound = ({ deviceId, name }: { readonly deviceId: string; readonly name: string }) => {
    if (fleet === undefined) return say('Positions are still loading. Try again in a moment');
    const at = fleet.places.get(deviceId);
    if (at === undefined) return say(`${name} has no position that you may see`);
    choose(deviceId);
    camera.goTo(placeAt(fleet, at), NEAR_ZOOM);
  };
  return (
    <>
      <MapTools
        {...{ isReading, coloring, setColoring, camera, inView: seen.inView, located }}
        onSelect={maySelect ? () => void select(ready === undefined ? all! : viewOf(ready)) : undefined}
      >
        <MapSearch onDevice={onFound} onPlace={({ at }) => camera.goTo(at, PLACE_ZOOM)} />
      </MapTools>
      <RunStrip />
      <SelectionBar />
      <div className="map-layout">
        <MapBox
          {...{ box, state, coloring, drawn, showAll: camera.showAll }}
          first={
            first !== undefined && !isDrawn && <FirstSight afar={first} onShown={() => setShown(true)} />
          }
        >
          <MapTrouble error={fleet === undefined ? error : null} retry={retry} />
          {!isReading && error === null && count === 0 && <NothingLocated />}
          {nth !== undefined && fleet !== undefined && (
            <DeviceCard
              {...{ fleet, nth, ready, isFollowed }}
              onFollow={follow}
              onClose={() => choose(undefined)}
            />
          )}
        </MapBox>
        <InView fleet={fleet === undefined && error === null ? undefined : seen.fleet} listed={seen.listed} />
      </div>
    </>
  );
}
