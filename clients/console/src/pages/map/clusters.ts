import { useEffect, useRef, useState } from 'react';
import type { Fleet } from './fleet.ts';
import type { Looked } from './grid.ts';
import { type Bounds, boundsOf, type Size, type View } from './view.ts';

export type ClusterQuestion =
  | {
      readonly kind: 'load';
      readonly latitudes: Float64Array;
      readonly longitudes: Float64Array;
    }
  | { readonly kind: 'look'; readonly bounds: Bounds; readonly zoom: number };
interface Found extends Looked {
  /** The fleet that numbers of devices are about. */
  readonly fleet: Fleet;
}

/** What is to be drawn in a view. One question at a time: while the worker thinks, only the newest view waits. */
export function useClusters(fleet: Fleet, view: View | undefined, size: Size): Found {
  const [worker, setWorker] = useState<Worker | undefined>();
  const [found, setFound] = useState<Found>({ fleet, shown: [], listed: [] });
  const state = useRef({ busy: false, waiting: undefined as (() => void) | undefined, fleet });

  useEffect(() => {
    const it = state.current;
    const made = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
    made.onmessage = ({ data }: MessageEvent<Looked>) => {
      it.busy = false;
      setFound({ fleet: it.fleet, ...data });
      it.waiting?.();
    };
    setWorker(made);
    return () => {
      it.busy = false;
      made.terminate();
    };
  }, []);
  useEffect(() => {
    const { latitudes, longitudes } = fleet;
    worker?.postMessage({ kind: 'load', latitudes, longitudes } satisfies ClusterQuestion);
  }, [worker, fleet]);
  useEffect(() => {
    if (view === undefined || worker === undefined) return;
    const it = state.current;
    const ask = () => {
      it.busy = true;
      it.waiting = undefined;
      it.fleet = fleet;
      const question: ClusterQuestion = {
        kind: 'look',
        bounds: boundsOf(view, size),
        zoom: view.zoom,
      };
      worker.postMessage(question);
    };
    if (it.busy) it.waiting = ask;
    else ask();
  }, [worker, fleet, view, size]);
  return found;
}
