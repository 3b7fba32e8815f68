import type { ClusterAnswer, ClusterQuestion } from './cluster-messages.ts';
import type { Looked } from './grid.ts';
import { type Bounds, isWithin, widened } from './mercator.ts';

interface Place {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

export interface Clusters<F extends Place> {
  load(fleet: F, tones: Uint8Array): void;
  look(view: Bounds, zoom: number): void;
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
  onLooked: (fleet: F, looked: Looked) => void,
): Clusters<F> {
  const worker = new Worker(new URL('./cluster-worker.ts', import.meta.url), { type: 'module' });
  const tell = (question: ClusterQuestion) => worker.postMessage(question);
  const finds = new Map<number, (found: Uint32Array) => void>();
  let fleet = first;
  let lookedFor = first;
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
    onLooked(lookedFor, data);
    waiting?.();
  };
  return {
    load(next, tones) {
      fleet = next;
      tell({ kind: 'load', latitudes: next.latitudes, longitudes: next.longitudes, tones });
    },
    look(view, zoom) {
      const ask = () => {
        const around = widened(view);
        isBusy = true;
        waiting = undefined;
        lookedFor = fleet;
        drawn = { around, level: Math.floor(zoom) };
        tell({ kind: 'look', view, zoom, around });
      };
      if (isBusy) waiting = ask;
      else ask();
    },
    covers: (view, zoom) =>
      drawn !== undefined && drawn.level === Math.floor(zoom) && isWithin(view, drawn.around),
    find: (bounds) =>
      new Promise((resolve) => {
        finds.set(++asked, resolve);
        tell({ kind: 'find', asked, bounds });
      }),
    close: () => worker.terminate(),
  };
}
