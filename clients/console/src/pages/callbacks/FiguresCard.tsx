import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FigureSpan, type Listener, type ListenerFigures, readFigures } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { useFilter } from '../../app/use-filter.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { type ChartSeries, COUNT, MILLISECONDS, PERCENT, type Unit } from '../../parts/chart-options.ts';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatClock, formatNumber, formatPercent, formatShortTime } from '../../text/format.ts';

/** Polled, because they cost more than the log, which is refetched at each change. */
const READ_AGAIN_MS = 10_000;
const HEIGHT = 150;
/** Height with head, legend and note, so that the content below stays in place. */
const BODY_PX = 236;

const SPANS = {
  hour: 'The last hour',
  day: 'The last 24 hours',
  week: 'The last 7 days',
} as const satisfies Record<FigureSpan, string>;
const isSpan = (text: string): text is FigureSpan => Object.hasOwn(SPANS, text);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

interface Plotted {
  readonly title: string;
  /** The most important number. */
  readonly now: string;
  readonly unit: Unit;
  readonly series: readonly ChartSeries[];
}

const rateOf = (delivered: number, failed: number): number | null =>
  delivered + failed === 0 ? null : (delivered / (delivered + failed)) * 100;

function plot({ slices }: ListenerFigures): {
  readonly times: readonly number[];
  readonly charts: Plotted[];
} {
  const [delivered, failed] = [sum(slices.map((one) => one.delivered)), sum(slices.map((one) => one.failed))];
  const slowest = slices.findLast(({ medianMs }) => medianMs !== null)?.medianMs ?? null;
  const rates = slices.map((one) => rateOf(one.delivered, one.failed));
  const line = (label: string, color: ChartSeries['color'], values: ChartSeries['values']) =>
    ({ label, color, values, kind: 'dots' }) as const;
  return {
    times: slices.map(({ at }) => Date.parse(at) / 1_000),
    charts: [
      {
        title: 'Delivery rate',
        now: formatPercent(delivered, delivered + failed),
        unit: PERCENT,
        series: [line('Delivered', 'good', rates)],
      },
      {
        title: 'Time to a successful answer',
        now: slowest === null ? '–' : `${formatNumber(Math.round(slowest))} ms`,
        unit: MILLISECONDS,
        series: [
          line(
            'Half are faster',
            'chart-1',
            slices.map(({ medianMs }) => medianMs),
          ),
          line(
            '19 of 20 are faster',
            'chart-2',
            slices.map(({ slowMs }) => slowMs),
          ),
        ],
      },
      {
        title: 'Waiting',
        now: formatNumber(slices.at(-1)?.waiting ?? 0),
        unit: COUNT,
        series: [
          { label: 'Waiting', color: 'warn', kind: 'line', values: slices.map(({ waiting }) => waiting) },
        ],
      },
    ],
  };
}

const clockOf = (seconds: number): string => formatClock(seconds * 1_000);
const timeOf = (seconds: number): string => formatShortTime(seconds * 1_000);

function Charts({
  figures,
  span,
  about,
}: {
  readonly figures: ListenerFigures;
  readonly span: FigureSpan;
  readonly about: string;
}) {
  const { times, charts } = useMemo(() => plot(figures), [figures]);
  const posted = sum(figures.slices.map((one) => one.posted));
  const isSample = figures.slices.some((one) => one.seen < one.posted);
  if (posted === 0 && figures.slices.every(({ waiting }) => waiting === 0))
    return <Empty title={`Nothing sent to ${about} in this time`} />;
  return (
    <>
      <div className="figure-charts">
        {charts.map(({ title, now, unit, series }) => (
          <section key={title} className="stack" style={{ gap: 4 }}>
            <h3>
              {title} <span className="soft">{now}</span>
            </h3>
            <Chart
              caption={`${title}: ${about}`}
              {...{ times, series, unit }}
              height={HEIGHT}
              formatX={span === 'hour' ? clockOf : timeOf}
            />
          </section>
        ))}
      </div>
      <p className="small soft">
        {formatNumber(posted)} {posted === 1 ? 'callback' : 'callbacks'} in this time.
        {isSample && ' For busy times, each bar is based on its first hundred callbacks.'}
      </p>
    </>
  );
}

/** The results of one listener: its delivery rate, answer times and waiting callbacks. */
export function FiguresCard({ listeners }: { readonly listeners: readonly Listener[] | undefined }) {
  const accountName = useAccount();
  const [named, setNamed] = useFilter('listener');
  const [namedSpan, setSpan] = useFilter('span');
  const span = isSpan(namedSpan) ? namedSpan : 'day';
  const chosen =
    listeners?.find(({ serviceName }) => serviceName === named) ??
    listeners?.find(({ failingSince }) => failingSince !== null) ??
    listeners?.find(({ hasMessages }) => hasMessages) ??
    listeners?.[0];
  const serviceName = chosen?.serviceName;
  const figures = useQuery({
    queryKey: ['figures', accountName, serviceName, span],
    queryFn: ({ signal }) => readFigures(accountName, serviceName!, span, signal),
    enabled: serviceName !== undefined,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: (before) => before,
  });
  if (listeners?.length === 0) return null;
  return (
    <Card
      title="Delivery over time"
      aside={
        <div className="row">
          <span className="small soft">UTC</span>
          <select
            className="input"
            style={{ width: 220 }}
            aria-label="Listener"
            value={serviceName ?? ''}
            onChange={({ target }) => setNamed(target.value)}
          >
            {listeners?.map((one) => (
              <option key={one.serviceName}>{one.serviceName}</option>
            ))}
          </select>
          <select
            className="input"
            style={{ width: 190 }}
            aria-label="Time"
            value={span}
            onChange={({ target }) => setSpan(target.value)}
          >
            {Object.entries(SPANS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      }
    >
      <div style={{ minHeight: BODY_PX }}>
        <ReadProblem error={figures.error} data={figures.data} retry={() => void figures.refetch()} />
        {figures.isPending && <Skeleton height={BODY_PX} />}
        {figures.data && serviceName !== undefined && (
          <Charts figures={figures.data} span={span} about={serviceName} />
        )}
      </div>
    </Card>
  );
}
