import { type Afar, boundsFromAfar, clusterCounts } from './afar.ts';
import { FONT } from './base-style.ts';
import type { Shown } from './grid.ts';
import { fitted, pxFrom } from './mercator.ts';
import { countText, type PointColors, radiusOf } from './overlay.ts';

const EDGE_PX = 1.5;
const TEXT_PX = 12;

function drawOne(
  pen: CanvasRenderingContext2D,
  shown: Shown,
  [x, y]: readonly [number, number],
  colors: PointColors,
) {
  pen.beginPath();
  pen.arc(x, y, radiusOf(shown.count) + EDGE_PX / 2, 0, 2 * Math.PI);
  pen.fillStyle = colors.tones[shown.tone] ?? colors.cluster;
  pen.fill();
  pen.strokeStyle = colors.edge;
  pen.stroke();
  if (shown.count === 1) return;
  pen.fillStyle = colors.onCluster;
  pen.fillText(countText(shown.count), x, y);
}

/** Draws a fleet on a canvas of the map's size, where the map will draw it. */
export function drawFirstSight(canvas: HTMLCanvasElement, afar: Afar, colors: PointColors): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  // Drawn by the CPU, because WebGL is about to be busy with the map.
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) return;
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.lineWidth = EDGE_PX;
  pen.font = `${TEXT_PX}px ${FONT[0]}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const camera = fitted(boundsFromAfar(afar), width, height);
  for (const shown of clusterCounts(afar, camera.zoom)) {
    const [x, y] = pxFrom(camera, shown.longitude, shown.latitude);
    drawOne(pen, shown, [width / 2 + x, height / 2 + y], colors);
  }
}
