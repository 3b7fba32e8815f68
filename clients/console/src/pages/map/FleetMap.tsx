import { useMemo, useRef } from 'react';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { selectDevices } from '../../app/selection.ts';
import { mayChange, useSession } from '../../app/session.tsx';
import { useFilter } from '../../app/use-filter.ts';
import { RunStrip } from '../../lines/RunStrip.tsx';
import { type Fleet, toFleet } from '../../map/fleet.ts';
import { type Bounds, boundsOf } from '../../map/mercator.ts';
import { useCamera } from '../../map/use-camera.ts';
import { useFleetLayer, viewOf } from '../../map/use-fleet-layer.ts';
import { useMap } from '../../map/use-map.ts';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { DeviceCard } from './DeviceCard.tsx';
import { InView } from './InView.tsx';
import { MapBox } from './MapBox.tsx';
import { MapSearch } from './MapSearch.tsx';
import { MapTools } from './MapTools.tsx';
import { MapTrouble, NothingLocated } from './MapTrouble.tsx';
import './map.css';
import { SelectionBar } from './SelectionBar.tsx';
import { type Coloring, tonesOf } from './tones.ts';
import { useBoxSelect } from './use-box-select.ts';
import { placeAt, useChosen } from './use-chosen.ts';
import { useFleet } from './use-fleet.ts';

const NO_FLEET = toFleet([]);
const MINUTE_MS = 60_000;
const NEAR_ZOOM = 12;
const PLACE_ZOOM = 9;

/** The colours of all points; ages are told to the minute, so that they are not painted anew each second. */
function useTones(fleet: Fleet | undefined) {
  const [named, setColoring] = useFilter('colour');
  const coloring: Coloring = named === 'age' ? 'age' : 'state';
  const minute = Math.floor(useNow() / MINUTE_MS);
  const since = coloring === 'age' ? minute * 60 : 0;
  const tones = useMemo(() => tonesOf(fleet ?? NO_FLEET, coloring, since), [fleet, coloring, since]);
  return { tones, coloring, setColoring };
}

/** Where devices were last located. Nothing is asked of the network, and nothing comes from outside. */
export default function FleetMap() {
  const accountName = useAccount();
  const { say } = useToasts();
  const box = useRef<HTMLDivElement>(null);
  const { fleet, isReading, error, retry } = useFleet(accountName);
  const { tones, coloring, setColoring } = useTones(fleet);
  const count = fleet?.ids.length ?? 0;
  const all = useMemo(() => fleet && boundsOf(fleet.latitudes, fleet.longitudes), [fleet]);
  const label = `Map of ${formatNumber(count)} devices. Arrow keys move it, plus and minus zoom, 0 shows all.`;
  const state = useMap(box, all, label);
  const ready = state.kind === 'ready' ? state.ready : undefined;
  const camera = useCamera(ready, all);
  const { nth, isFollowed, choose, follow } = useChosen(ready, fleet);
  const { seen, find } = useFleetLayer({ box, state, fleet, tones, onDevice: choose });
  const select = async (bounds: Bounds) => {
    const found = (await find?.(bounds)) ?? new Uint32Array();
    selectDevices(
      accountName,
      Array.from(found, (one) => fleet!.ids[one]!),
    );
    if (found.length === 0) say('There is no device in there');
  };
  const maySelect = mayChange(useSession(), 'fleet');
  const drawn = useBoxSelect(maySelect ? ready : undefined, (bounds) => void select(bounds));
  const onFound = ({ deviceId, name }: { readonly deviceId: string; readonly name: string }) => {
    const at = fleet?.places.get(deviceId);
    if (at === undefined) return say(`${name} has no position that may be shown`);
    choose(deviceId);
    camera.goTo(placeAt(fleet!, at), NEAR_ZOOM);
  };
  return (
    <>
      <MapTools
        {...{ isReading, coloring, setColoring, camera, inView: seen.inView, located: fleet?.ids.length }}
        onSelect={maySelect ? () => void select(ready === undefined ? all! : viewOf(ready)) : undefined}
      >
        <MapSearch onDevice={onFound} onPlace={({ at }) => camera.goTo(at, PLACE_ZOOM)} />
      </MapTools>
      <RunStrip />
      <SelectionBar />
      <div className="map-layout">
        <MapBox {...{ box, state, coloring, drawn, showAll: camera.showAll }}>
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
