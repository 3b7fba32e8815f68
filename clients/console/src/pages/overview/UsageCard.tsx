import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UsageOverview } from '../../api/overview.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { BYTES } from '../../parts/chart-options.ts';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';

const HEIGHT = 220;

/** Used so far in each billing month would hide the days: these are the days. */
export function UsageCard({ usage }: { readonly usage: UseQueryResult<UsageOverview> }) {
  const days = usage.data?.days;
  const chart = useMemo(
    () =>
      days && {
        times: days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
        series: [
          {
            label: 'Used',
            values: days.map(({ bytes }) => bytes),
            color: 'chart-1' as const,
            kind: 'bars' as const,
          },
        ],
      },
    [days],
  );
  return (
    <Card
      title="Usage by day"
      span={8}
      aside={<span className="small soft">days of the account’s time zone</span>}
    >
      <ReadProblem error={usage.error} data={usage.data} retry={() => void usage.refetch()} />
      {usage.isPending && <Skeleton height={HEIGHT} />}
      {chart && (
        <Chart caption="Bytes used on each of the last 60 days" {...chart} height={HEIGHT} unit={BYTES} />
      )}
    </Card>
  );
}
