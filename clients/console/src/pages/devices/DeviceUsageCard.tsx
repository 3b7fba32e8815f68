import { useMemo } from 'react';
import type { DeviceDetail } from '../../api/devices.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { BYTES } from '../../parts/chart-options.ts';
import { Meter } from '../../parts/Meter.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { formatBytes, formatPercent, formatPeriod } from '../../text/format.ts';

const HEIGHT = 220;

function Allowance({ cycle, planName }: Pick<DeviceDetail, 'cycle' | 'planName'>) {
  const { usedBytes, allowanceBytes } = cycle;
  return (
    <div>
      <p>
        {formatBytes(usedBytes)}
        {allowanceBytes === null
          ? ' used; its plan has no allowance'
          : ` of ${formatBytes(allowanceBytes)} used, ${formatPercent(usedBytes, allowanceBytes)}`}
        <span className="small soft">
          {' '}
          {planName !== null && `${planName}, `}
          {formatPeriod(cycle)}
        </span>
      </p>
      {allowanceBytes !== null && <Meter part={usedBytes} whole={allowanceBytes} label="Used allowance" />}
    </div>
  );
}

export function DeviceUsageCard({ device }: { readonly device: DeviceDetail | undefined }) {
  const days = device?.days;
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
      <div style={{ minHeight: 48 }}>
        {device === undefined ? <Skeleton height={40} /> : <Allowance {...device} />}
      </div>
      {days === undefined && <Skeleton height={HEIGHT} />}
      {chart && (
        <Chart caption="Bytes used on each of the last 90 days" {...chart} height={HEIGHT} unit={BYTES} />
      )}
    </Card>
  );
}
