import type uPlot from 'uplot';
import { formatBytes, formatMoney, formatNumber, formatShortDay } from '../text/format.ts';

export type ChartColor = 'chart-1' | 'chart-2' | 'chart-3' | 'warn' | 'bad' | 'good';

export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly color: ChartColor;
  /** Dots are joined by a line and visible when they stand alone; points are not joined. */
  readonly kind: 'bars' | 'line' | 'dots' | 'points';
}

/** The current value of a colour token at this element, because a canvas cannot use custom properties. */
export function colorOf(place: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** How to format numbers of a kind, and the steps between grid lines. */
export interface Unit {
  readonly format: (value: number) => string;
  readonly steps: number[];
}
const STEPS_MAX = 50;
export const BYTES: Unit = {
  format: formatBytes,
  steps: Array.from({ length: STEPS_MAX }, (_, power) => 2 ** power),
};
export const COUNT: Unit = {
  format: formatNumber,
  steps: Array.from({ length: 30 }, (_, i) => [1, 2, 5][i % 3]! * 10 ** Math.floor(i / 3)),
};

export const MILLISECONDS: Unit = { ...COUNT, format: (value) => `${formatNumber(Math.round(value))} ms` };
/** Percentages: never a grid line above 100. */
export const PERCENT: Unit = {
  format: (value) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} %`,
  steps: [5, 10, 25, 50],
};

/** Amounts may be cents only. */
export const moneyIn = (currency: string): Unit => ({
  format: (amount) => formatMoney(amount, currency),
  steps: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, ...COUNT.steps],
});

const FONT = '11px system-ui, sans-serif';

let measure: CanvasRenderingContext2D | null | undefined;
/** Width of a text in CSS pixels, as a chart draws it. */
function widthOf(text: string): number {
  measure ??= document.createElement('canvas').getContext('2d');
  if (measure === null) return text.length * 7;
  measure.font = FONT;
  return measure.measureText(text).width;
}
const widestOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));
/** Gap between two labels of an axis, and between a label and its tick. */
const LABEL_GAP_PX = 18;
const BAR_SHARE = 0.72;
const BAR_MAX_PX = 28;

/** Options for all charts: no built-in legend, unobtrusive axes, and days on the time axis by default. */
export function chartOptions(
  place: HTMLElement,
  { width, height }: { readonly width: number; readonly height: number },
  { times, series }: { readonly times: readonly number[]; readonly series: readonly ChartSeries[] },
  library: typeof uPlot,
  { format, steps }: Unit,
  formatX: (seconds: number) => string = (at) => formatShortDay(new Date(at * 1_000).toISOString()),
  /** The values that must stay in view, and the padding at the right. */
  { least = 0, right = 0 }: { readonly least?: number; readonly right?: number } = {},
): uPlot.Options {
  const labelPx = widestOf(times.map(formatX));
  const halfStep = times.length < 2 ? 43_200 : (times.at(-1)! - times[0]!) / (times.length - 1) / 2;
  const [soft, grid] = [colorOf(place, 'text-soft'), colorOf(place, 'chart-grid')];
  const bars = library.paths.bars!({ size: [BAR_SHARE, BAR_MAX_PX], radius: 0.15 });
  const axis = { stroke: soft, font: FONT, ticks: { show: false } };
  return {
    width,
    height,
    // Half of a label may extend beyond the last step.
    padding: [8, Math.max(right, Math.ceil(labelPx / 2) + 4), 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
    // Adds half a step on both sides, so that the first and the last bar are complete.
    scales: {
      x: {
        time: true,
        range: (_u, min, max) => [min - halfStep, max + halfStep],
      },
      y: { range: (_u, _min, max) => [0, Math.max(max, least) > 0 ? Math.max(max, least) * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        // Placed below the lowest label of the other axis, with a gap between labels.
        gap: 10,
        space: labelPx + LABEL_GAP_PX,
        values: (_u, splits) => splits.map(formatX),
      },
      {
        ...axis,
        grid: { stroke: grid, width: 1 },
        size: (_u, values) => Math.max(labelPx / 2, widestOf(values ?? [])) + LABEL_GAP_PX,
        space: 36,
        incrs: steps,
        values: (_u, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      ...series.map(({ label, color, kind }): uPlot.Series => {
        const stroke = colorOf(place, color);
        if (kind === 'points')
          return { label, stroke, paths: () => null, points: { show: true, size: 9, fill: stroke } };
        if (kind === 'bars')
          return { label, fill: stroke, stroke, width: 0, paths: bars, points: { show: false } };
        const points = kind === 'dots' ? { show: true, size: 5, fill: stroke, stroke } : { show: false };
        return { label, stroke, width: 2, points };
      }),
    ],
  };
}
