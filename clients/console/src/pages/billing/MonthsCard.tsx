import { useMemo } from 'react';
import type { BillMonths } from '../../api/billing.ts';
import { Card } from '../../parts/Card.tsx';
import { Chart } from '../../parts/Chart.tsx';
import { moneyIn } from '../../parts/chart-options.ts';
import { Skeleton } from '../../parts/states.tsx';
import { formatShortMonth } from '../../text/format.ts';

const HEIGHT = 180;
const timeOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`) / 1_000;

export function MonthsCard({ bills }: { readonly bills: BillMonths | undefined }) {
  const months = bills?.months;
  const currency = bills?.currency ?? 'USD';
  const unit = useMemo(() => moneyIn(currency), [currency]);
  return (
    <Card title="Billed by month" span={12}>
      <div style={{ minHeight: HEIGHT }}>
        {months === undefined ? (
          <Skeleton height={HEIGHT} />
        ) : (
          <Chart
            caption="Billed by month"
            height={HEIGHT}
            unit={unit}
            formatX={(seconds) => formatShortMonth(new Date(seconds * 1_000).toISOString().slice(0, 7))}
            times={months.map(({ month }) => timeOf(month))}
            series={[
              {
                label: 'Billed',
                values: months.map(({ amount }) => amount),
                color: 'chart-1',
                kind: 'bars',
              },
            ]}
          />
        )}
      </div>
    </Card>
  );
}
