import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../app/theme.ts';
import { formatShortDay } from '../text/format.ts';
import { type ChartLevel, drawLevels, roomFor } from './chart-levels.ts';
import { type ChartSeries, COUNT, chartOptions, type Unit } from './chart-options.ts';

interface ChartProps {
  /** Describes the chart for screen readers. */
  readonly caption: string;
  /** Times in seconds, in ascending order. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Horizontal lines, each with a label. */
  readonly levels?: readonly ChartLevel[];
  readonly height?: number;
  readonly unit?: Unit;
  readonly formatX?: (seconds: number) => string;
}

const dayOf = (seconds: number): string => formatShortDay(new Date(seconds * 1_000).toISOString());

const NO_LEVELS: readonly ChartLevel[] = [];

/** A chart on a canvas, with the same numbers in a table for screen readers. */
export function Chart(props: ChartProps) {
  const { caption, times, series, levels = NO_LEVELS, height = 180, unit = COUNT, formatX = dayOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const plotted = useRef<uPlot>(undefined);
  const zoom = useRef<{ readonly min: number; readonly max: number }>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  const [at, setAt] = useState<{ readonly index: number; readonly left: number } | undefined>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours that are read from the page
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const size = () => ({ width: Math.max(120, place.clientWidth), height });
    const least = Math.max(0, ...levels.map(({ value }) => value));
    const room = levels.length === 0 ? {} : { right: roomFor(levels) };
    const options = chartOptions(place, size(), { times, series }, uPlot, unit, formatX, { least, ...room });
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    options.hooks = {
      draw: [drawLevels(place, levels, uPlot.pxRatio)],
      setSelect: [
        // Keeps the range that the user dragged over when new data covers the same days.
        (u) => {
          if (u.select.width === 0) return;
          zoom.current = {
            min: Math.max(first, u.posToVal(u.select.left, 'x')),
            max: Math.min(last, u.posToVal(u.select.left + u.select.width, 'x')),
          };
          setZoomed(true);
        },
      ],
      setCursor: [
        ({ cursor: { idx, left } }) =>
          setAt(idx == null || left === undefined || left < 0 ? undefined : { index: idx, left }),
      ],
    };
    const plot = new uPlot(options, data, place);
    plotted.current = plot;
    if (zoom.current !== undefined) plot.setScale('x', zoom.current);
    const onReset = () => {
      zoom.current = undefined;
      setZoomed(false);
    };
    plot.over.addEventListener('dblclick', onReset);
    const watch = new ResizeObserver(() => plot.setSize(size()));
    watch.observe(place);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [times, series, levels, height, theme, unit, formatX]);

  return (
    <figure className="stack" style={{ gap: 8 }}>
      <div className="chart" style={{ height }} ref={box} aria-hidden="true">
        {at !== undefined && times[at.index] !== undefined && (
          <div
            className="chart-tip"
            style={
              at.left > 240
                ? { right: `calc(100% - ${at.left + 46}px)`, top: 8 }
                : { left: at.left + 74, top: 8 }
            }
          >
            <strong>{formatX(times[at.index]!)}</strong>
            {series.map(({ label, values }) => (
              <div key={label}>
                {label}: {values[at.index] == null ? '–' : unit.format(values[at.index]!)}
              </div>
            ))}
          </div>
        )}
      </div>
      {(series.length > 1 || isZoomed) && (
        <div className="chart-key">
          {series.map(({ label, color }) => (
            <span key={label}>
              <i style={{ background: `var(--${color})` }} />
              {label}
            </span>
          ))}
          {isZoomed && (
            <button
              type="button"
              className="link-button"
              onClick={() => {
                zoom.current = undefined;
                setZoomed(false);
                plotted.current?.setScale('x', { min: times[0]!, max: times.at(-1)! });
              }}
            >
              Reset zoom
            </button>
          )}
        </div>
      )}
      <figcaption className="hidden-text">{caption}</figcaption>
      {/* In a box, because a table ignores a height smaller than its rows. */}
      <div className="hidden-text">
        <table>
          <caption>{[caption, ...levels.map(({ label }) => label)].join('. ')}</caption>
          <thead>
            <tr>
              <th>Time</th>
              {series.map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, index) => (
              <tr key={time}>
                <td>{formatX(time)}</td>
                {series.map(({ label, values }) => (
                  <td key={label}>{values[index] == null ? '–' : unit.format(values[index]!)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
