import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageOverview } from '../../api/overview.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { BYTES } from '../../parts/chart-options.ts';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatBytes, formatPercent } from '../../text/format.ts';

const HEIGHT = 190;

const sumOf = (days: UsageOverview['days']): number => days.reduce((sum, { bytes }) => sum + bytes, 0);

/** "1.2 GB, 12 % more than before". */
function sayChange({ days, before }: UsageOverview): string {
  const [now, then] = [sumOf(days), sumOf(before)];
  if (then === 0) return formatBytes(now);
  const change = formatPercent(Math.abs(now - then), then);
  return `${formatBytes(now)}, ${now === then ? 'as much as' : `${change} ${now > then ? 'more' : 'less'} than`} before`;
}

/** Usage of each day, because a running total per billing month would hide the days. */
export function UsageCard({ usage }: { readonly usage: UseQueryResult<UsageOverview> }) {
  const { data } = usage;
  const chart = useMemo(
    () =>
      data && {
        times: data.days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
        series: [
          {
            label: 'Used',
            values: data.days.map(({ bytes }) => bytes),
            color: 'chart-1' as const,
            kind: 'bars' as const,
          },
          {
            label: 'The period before',
            values: data.before.map(({ bytes }) => bytes),
            color: 'chart-2' as const,
            kind: 'line' as const,
          },
        ],
      },
    [data],
  );
  return (
    <Card
      title="Usage by day"
      span={8}
      aside={
        <span className="small soft">{data && `${sayChange(data)}; `}days of the account’s time zone</span>
      }
    >
      <ReadProblem error={usage.error} data={usage.data} retry={() => void usage.refetch()} />
      {usage.isPending && <Skeleton height={HEIGHT} />}
      {chart && (
        <Chart
          caption="Bytes used on each day, and on the days of the period before"
          {...chart}
          height={HEIGHT}
          unit={BYTES}
        />
      )}
    </Card>
  );
}
