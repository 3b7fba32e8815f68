import type { ClusterAnswer, ClusterQuestion } from './cluster-messages.ts';
import type { Clustered } from './grid.ts';
import { type Bounds, isWithin, widened } from './mercator.ts';

interface Place {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

export interface Clusters<F extends Place> {
  load(fleet: F, tones: Uint8Array): void;
  query(view: Bounds, zoom: number): void;
  /** Whether the drawn area still covers the view, so that dragging needs no new query. */
  covers(view: Bounds, zoom: number): boolean;
  find(bounds: Bounds): Promise<Uint32Array>;
  close(): void;
}

/**
 * Sends the worker one query at a time. While it works, only the newest view waits. Each result names the
 * fleet it belongs to.
 */
export function openClusters<F extends Place>(
  first: F,
  onResult: (fleet: F, result: Clustered) => void,
): Clusters<F> {
  const worker = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
  const send = (question: ClusterQuestion) => worker.postMessage(question);
  const finds = new Map<number, (found: Uint32Array) => void>();
  let fleet = first;
  let queriedFleet = first;
  let drawn: { readonly around: Bounds; readonly level: number } | undefined;
  let isBusy = false;
  let waiting: (() => void) | undefined;
  let asked = 0;
  worker.onmessage = ({ data }: MessageEvent<ClusterAnswer>) => {
    if (data.kind === 'found') {
      finds.get(data.asked)?.(data.found);
      finds.delete(data.asked);
      return;
    }
    isBusy = false;
    onResult(queriedFleet, data);
    waiting?.();
  };
  return {
    load(next, tones) {
      fleet = next;
      send({ kind: 'load', latitudes: next.latitudes, longitudes: next.longitudes, tones });
    },
    query(view, zoom) {
      const ask = () => {
        const around = widened(view);
        isBusy = true;
        waiting = undefined;
        queriedFleet = fleet;
        drawn = { around, level: Math.floor(zoom) };
        send({ kind: 'cluster', view, zoom, around });
      };
      if (isBusy) waiting = ask;
      else ask();
    },
    covers: (view, zoom) =>
      drawn !== undefined && drawn.level === Math.floor(zoom) && isWithin(view, drawn.around),
    find: (bounds) =>
      new Promise((resolve) => {
        finds.set(++asked, resolve);
        send({ kind: 'find', asked, bounds });
      }),
    close: () => worker.terminate(),
  };
}
