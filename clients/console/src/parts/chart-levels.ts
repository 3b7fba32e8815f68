import type uPlot from 'uplot';
import { type ChartColor, colorOf } from './chart-options.ts';
import { placeLabels } from './place-labels.ts';

/** A horizontal line in a chart, with its label. */
export interface ChartLevel {
  readonly label: string;
  readonly value: number;
  readonly color: ChartColor;
}

const LINE_PX = 15;
const PAD_PX = 6;
const ROOM_MIN_PX = 38;
const fontOf = (ratio: number): string => `600 ${11 * ratio}px system-ui, sans-serif`;

/** Width that their labels need to the right of the plot. */
export function roomFor(levels: readonly ChartLevel[]): number {
  const measure = document.createElement('canvas').getContext('2d');
  if (measure === null) return ROOM_MIN_PX;
  measure.font = fontOf(1);
  const widths = levels.map(({ label }) => measure.measureText(label).width);
  return Math.max(ROOM_MIN_PX, ...widths.map((width) => Math.ceil(width) + 2 * PAD_PX));
}

/** Draws a dashed line over the plot for each level, with its label in the free space next to it. */
export function drawLevels(place: HTMLElement, levels: readonly ChartLevel[], ratio: number) {
  const colors = levels.map(({ color }) => colorOf(place, color));
  return (plot: uPlot): void => {
    const { ctx, bbox } = plot;
    const [right, half] = [bbox.left + bbox.width, (LINE_PX / 2) * ratio];
    const heights = levels.map(({ value }) => plot.valToPos(value, 'y', true));
    const labels = placeLabels(heights, {
      gap: LINE_PX * ratio,
      top: bbox.top + half,
      bottom: bbox.top + bbox.height - half,
    });
    ctx.save();
    ctx.font = fontOf(ratio);
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    for (const [n, { label }] of levels.entries()) {
      ctx.strokeStyle = colors[n]!;
      ctx.fillStyle = colors[n]!;
      ctx.beginPath();
      ctx.moveTo(bbox.left, heights[n]!);
      ctx.lineTo(right, heights[n]!);
      ctx.stroke();
      ctx.fillText(label, right + PAD_PX * ratio, labels[n]!);
    }
    ctx.restore();
  };
}
