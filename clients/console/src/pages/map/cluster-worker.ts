import type { ClusterQuestion } from './clusters.ts';
import { type Looked, lookAt, toPoints } from './grid.ts';

/** Off the page's own thread: a hundred thousand positions are looked through while the map keeps moving. */
let points = toPoints(new Float64Array(), new Float64Array());

const tell = (answer: Looked): void => postMessage(answer);

addEventListener('message', ({ data }: MessageEvent<ClusterQuestion>) => {
  if (data.kind === 'look') tell(lookAt(points, data.bounds, data.zoom));
  else points = toPoints(data.latitudes, data.longitudes);
});
