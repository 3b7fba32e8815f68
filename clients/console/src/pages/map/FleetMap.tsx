import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Problem, Skeleton } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';
import { useClusters } from './clusters.ts';
import { toFleet } from './fleet.ts';
import { InView } from './InView.tsx';
import { MapCanvas } from './MapCanvas.tsx';
import './map.css';
import { useFleet } from './use-fleet.ts';
import type { ChangeView } from './use-gestures.ts';
import { fitting, type Size, type View, zoomed } from './view.ts';

const NO_FLEET = toFleet([]);

function useSize(box: React.RefObject<HTMLDivElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return size;
}

/** Where devices were last located. Nothing is asked of the network, and nothing comes from outside. */
export default function FleetMap() {
  const accountName = useAccount();
  const [, goTo] = useLocation();
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const { fleet, isReading, error, retry } = useFleet(accountName);
  const [chosen, setChosen] = useState<View | undefined>();
  const hasSize = size.width > 0;
  const [fitted, setFitted] = useState<View | undefined>();
  // Until somebody moves the map it shows all there is.
  useEffect(() => {
    if (hasSize && fleet !== undefined) setFitted(fitting(fleet.latitudes, fleet.longitudes, size));
  }, [hasSize, fleet, size]);
  const view = chosen ?? fitted;
  const change = useCallback<ChangeView>(
    (by) => setChosen((now) => ((now ?? fitted) === undefined ? now : by((now ?? fitted)!))),
    [fitted],
  );
  const zoomBy = (by: number) => change((now) => zoomed(now, size, by, [size.width / 2, size.height / 2]));
  const showAll = () => setChosen(undefined);
  const found = useClusters(fleet ?? NO_FLEET, view, size);
  const inView = found.shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <PageHead
        title="Map"
        note={
          fleet &&
          `${formatNumber(fleet.ids.length)} ${fleet.ids.length === 1 ? 'device' : 'devices'} located, ${formatNumber(inView)} in view${isReading ? '; reading more…' : ''}`
        }
      >
        <Button onClick={() => zoomBy(1)} aria-label="Zoom in">
          +
        </Button>
        <Button onClick={() => zoomBy(-1)} aria-label="Zoom out">
          −
        </Button>
        <Button onClick={showAll}>Show all</Button>
      </PageHead>
      <div className="map-layout">
        <div className="card map-box" ref={box}>
          {error !== null && fleet === undefined && <Problem error={error} retry={retry} />}
          {error === null && view === undefined && <Skeleton height={size.height} />}
          {view !== undefined && hasSize && (
            <MapCanvas
              fleet={found.fleet}
              shown={found.shown}
              view={view}
              size={size}
              change={change}
              showAll={showAll}
              onDevice={(deviceId) => goTo(`/accounts/${accountName}/devices/${deviceId}`)}
            />
          )}
        </div>
        <InView
          fleet={fleet === undefined && error === null ? undefined : found.fleet}
          listed={found.listed}
        />
      </div>
    </>
  );
}
