import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Firing, FiringOverview } from '../../api/overview.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { FiredBy } from '../../parts/FiredBy.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { reasonOf } from '../../text/firing.ts';

const HEIGHT = 110;
function Latest({ firings }: { readonly firings: readonly Firing[] }) {
  if (firings.length === 0) return <Empty title="No trigger has fired" />;
  return (
    <table className="plain-table">
      <tbody>
        {firings.slice(0, 5).map((firing) => (
          <tr key={firing.firingId}>
            <td>
              <FiredBy firing={firing} />
            </td>
            <td>
              <FiredFor firing={firing} />
            </td>
            <td className="soft">{reasonOf(firing)}</td>
            <td className="right soft">
              <TimeAgo at={firing.firedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function FiringsCard({ firings }: { readonly firings: UseQueryResult<FiringOverview> }) {
  const { data } = firings;
  const chart = useMemo(
    () =>
      data && {
        times: data.days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
        series: [
          {
            label: 'Firings',
            values: data.days.map((day) => day.firings),
            color: 'chart-2' as const,
            kind: 'bars' as const,
          },
          {
            label: 'The period before',
            values: data.before.map((day) => day.firings),
            color: 'chart-1' as const,
            kind: 'line' as const,
          },
        ],
      },
    [data],
  );
  return (
    <Card
      title="Trigger firings"
      span={6}
      aside={<span className="small soft">days of the account’s time zone</span>}
    >
      <div style={{ minHeight: 320 }}>
        <ReadProblem error={firings.error} data={firings.data} retry={() => void firings.refetch()} />
        {firings.isPending && <Skeleton height={300} />}
        {chart && (
          <Chart caption="Firings of triggers by day, and in the period before" {...chart} height={HEIGHT} />
        )}
        {data && <Latest firings={data.latest} />}
      </div>
    </Card>
  );
}
