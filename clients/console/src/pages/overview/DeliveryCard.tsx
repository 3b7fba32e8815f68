import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { DeliveryHealth, ListenerHealth } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatNumber, formatShortTime } from '../../text/format.ts';
import { healthOf } from '../../text/listener-health.ts';

const HEIGHT = 110;

const BADGES = {
  'no address': <Badge>No address</Badge>,
  paused: <Badge tone="accent">Paused</Badge>,
  unused: <Badge>Unused</Badge>,
  healthy: <Badge tone="good">Healthy</Badge>,
  failing: <Badge tone="bad">Failing</Badge>,
} as const;

function Listeners({ listeners }: { readonly listeners: readonly ListenerHealth[] }) {
  const accountName = useAccount();
  if (listeners.length === 0) return <Empty title="No listener is registered" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll
    <section style={{ maxHeight: 200, overflowY: 'auto' }} aria-label="Listeners" tabIndex={0}>
      <table className="plain-table">
        <tbody>
          {listeners.map((listener) => (
            <tr key={listener.serviceName}>
              <td>{listener.serviceName}</td>
              <td className="small soft">{listener.lastFailure}</td>
              <td className="right soft number nowrap">
                {listener.waiting > 0 && (
                  <Link
                    href={`/accounts/${accountName}/callbacks?state=pending&service=${listener.serviceName}`}
                  >
                    {formatNumber(listener.waiting)} waiting
                  </Link>
                )}
              </td>
              <td className="right">{BADGES[healthOf(listener)]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HOURS_SHOWN = 48;
const HOUR_S = 3_600;

/** The last two days by hour; hours without callbacks count as zero. */
function lastHours({ hours }: DeliveryHealth, nowMs: number) {
  const end = Math.floor(nowMs / 1_000 / HOUR_S) * HOUR_S;
  const known = new Map(hours.map((one) => [Date.parse(one.hour) / 1_000, one]));
  const times = Array.from({ length: HOURS_SHOWN }, (_, i) => end - (HOURS_SHOWN - 1 - i) * HOUR_S);
  const of = (what: 'delivered' | 'failed' | 'pending') => times.map((time) => known.get(time)?.[what] ?? 0);
  return {
    times,
    series: [
      { label: 'Delivered', values: of('delivered'), color: 'chart-3' as const, kind: 'line' as const },
      { label: 'Failed', values: of('failed'), color: 'bad' as const, kind: 'line' as const },
      { label: 'Pending', values: of('pending'), color: 'warn' as const, kind: 'line' as const },
    ],
  };
}

const hourOf = (seconds: number): string => formatShortTime(seconds * 1_000);

export function DeliveryCard({ deliveries }: { readonly deliveries: UseQueryResult<DeliveryHealth> }) {
  const { data } = deliveries;
  const hour = Math.floor(useNow() / 1_000 / HOUR_S);
  const chart = useMemo(() => data && lastHours(data, hour * HOUR_S * 1_000), [data, hour]);
  return (
    <Card title="Callback delivery" span={6} aside={<span className="small soft">hours of UTC</span>}>
      <div style={{ minHeight: 320 }}>
        <ReadProblem
          error={deliveries.error}
          data={deliveries.data}
          retry={() => void deliveries.refetch()}
        />
        {deliveries.isPending && <Skeleton height={300} />}
        {chart && (
          <Chart caption="Results of callbacks by hour" {...chart} height={HEIGHT} formatX={hourOf} />
        )}
        {data && <Listeners listeners={data.listeners} />}
      </div>
    </Card>
  );
}
