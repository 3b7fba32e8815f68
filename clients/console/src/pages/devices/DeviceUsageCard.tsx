import { useMemo } from 'react';
import type { DeviceDetail } from '../../api/devices.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { BYTES } from '../../parts/chart-options.ts';
import { Skeleton } from '../../parts/states.tsx';
import { formatBytes } from '../../text/format.ts';

const HEIGHT = 260;

export function DeviceUsageCard({ days }: { readonly days: DeviceDetail['days'] | undefined }) {
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
  const total = days?.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <Card
      title="Usage by day"
      span={8}
      aside={
        total !== undefined && (
          <span className="small soft">{formatBytes(total)} in 90 days of the account’s time zone</span>
        )
      }
    >
      {days === undefined && <Skeleton height={HEIGHT} />}
      {chart && (
        <Chart caption="Bytes used on each of the last 90 days" {...chart} height={HEIGHT} unit={BYTES} />
      )}
    </Card>
  );
}
