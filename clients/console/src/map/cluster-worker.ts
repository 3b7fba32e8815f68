import type { ClusterAnswer, ClusterQuestion } from './cluster-messages.ts';
import { clusterPoints, findIn, toPoints } from './grid.ts';

/** Runs outside the page's thread, so that the map keeps moving while the worker scans a hundred thousand positions. */
let points = toPoints(new Float64Array(), new Float64Array());

function answerTo(question: ClusterQuestion): ClusterAnswer | undefined {
  switch (question.kind) {
    case 'load':
      points = toPoints(question.latitudes, question.longitudes, question.tones);
      return undefined;
    case 'find':
      return { kind: 'found', asked: question.asked, found: findIn(points, question.bounds) };
    case 'cluster':
      return { kind: 'clustered', ...clusterPoints(points, question.view, question.zoom, question.around) };
  }
}

addEventListener('message', ({ data }: MessageEvent<ClusterQuestion>) => {
  const answer = answerTo(data);
  if (answer !== undefined) postMessage(answer);
});
