import Supercluster from 'supercluster';
import type { ClusterAnswer, ClusterQuestion, Shown } from './clusters.ts';

/** Off the page's own thread: a hundred thousand positions are put in order while the map keeps moving. */
const MAX_ZOOM = 16;
const RADIUS_PX = 44;
/** A list is for reading; who wants more zooms in. */
const LISTED_MAX = 200;

let index: Supercluster<{ nth: number }> | undefined;

function look({ bounds, zoom }: ClusterQuestion & { kind: 'look' }): readonly Shown[] {
  const found = index?.getClusters(bounds, Math.floor(zoom)) ?? [];
  return found.map(({ geometry, properties }): Shown => {
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    if (!('cluster_id' in properties)) return { longitude, latitude, count: 1, nth: properties.nth };
    const { cluster_id: id, point_count: count } = properties;
    return { longitude, latitude, count, id, opensAt: index?.getClusterExpansionZoom(id) ?? MAX_ZOOM };
  });
}

/** Devices in view, those in clusters too, as many as a list shows. */
function list(shown: readonly Shown[]): readonly number[] {
  const listed = shown.flatMap((one) => ('nth' in one ? [one.nth] : [])).slice(0, LISTED_MAX);
  for (const one of shown) {
    if ('nth' in one) continue;
    if (listed.length >= LISTED_MAX) break;
    const leaves = index?.getLeaves(one.id, LISTED_MAX - listed.length) ?? [];
    listed.push(...leaves.map(({ properties }) => properties.nth));
  }
  return listed;
}

const tell = (answer: ClusterAnswer): void => postMessage(answer);

addEventListener('message', ({ data }: MessageEvent<ClusterQuestion>) => {
  if (data.kind === 'look') {
    const shown = look(data);
    return tell({ shown, listed: list(shown) });
  }
  const { latitudes, longitudes } = data;
  index = new Supercluster<{ nth: number }>({ maxZoom: MAX_ZOOM, radius: RADIUS_PX, extent: 256 });
  index.load(
    Array.from(latitudes, (latitude, nth) => ({
      type: 'Feature' as const,
      properties: { nth },
      geometry: { type: 'Point' as const, coordinates: [longitudes[nth]!, latitude] },
    })),
  );
});
