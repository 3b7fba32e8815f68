import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readStatement, type Service, type Statement } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Empty, ReadProblem } from '../../parts/states.tsx';
import { ToolTable } from '../../parts/ToolTable.tsx';
import { formatMonth, formatNumber } from '../../text/format.ts';

type Line = Statement['lines'][number];
const MONTHS = 12;

const COLUMNS: readonly Column<Line>[] = [
  {
    title: 'Account',
    sortBy: ({ accountName }) => accountName,
    width: 'minmax(180px, 1fr)',
    cell: ({ accountName }) => <span className="mono">{accountName}</span>,
  },
  {
    title: 'Billable uses',
    sortBy: ({ transactionsCount }) => Number(transactionsCount),
    width: '140px',
    align: 'right',
    cell: ({ transactionsCount }) => formatNumber(Number(transactionsCount)),
  },
];

/** The current month in domain time, and earlier ones. */
function lastMonths(nowMs: number): readonly string[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7),
  );
}

/** The billed items of the account. */
export function StatementCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const months = lastMonths(useNow());
  const [chosen, setChosen] = useState<string | undefined>();
  const month = chosen ?? months[0]!;
  const statement = useQuery({
    queryKey: ['managed', accountName, service, 'statement', month],
    queryFn: ({ signal }) => readStatement(accountName, service, month, signal),
  });
  const { data } = statement;
  return (
    <Card
      title="Statement"
      flush
      aside={
        <div className="row">
          <span className="small soft">
            {data
              ? `${data.skuName || 'No subscription'}: ${formatNumber(Number(data.totalTransactionCount))} of ${formatNumber(Number(data.transactionsAllowed))} uses`
              : '\u00a0'}
          </span>
          <select
            className="input"
            style={{ width: 170 }}
            aria-label="Month of the statement"
            value={month}
            onChange={(event) => setChosen(event.target.value)}
          >
            {months.map((one) => (
              <option key={one} value={one}>
                {formatMonth(one)}
              </option>
            ))}
          </select>
        </div>
      }
    >
      <ReadProblem error={statement.error} data={data} retry={() => void statement.refetch()} />
      {(data !== undefined || !statement.isError) && (
        <ToolTable
          label="Statement"
          file="statement"
          columns={COLUMNS}
          rows={data?.lines}
          keyOf={(line) => line.accountName}
          height={300}
          empty={<Empty title="No usage in this month" />}
        />
      )}
    </Card>
  );
}
