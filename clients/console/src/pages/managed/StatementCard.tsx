import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readStatement, type Service, type Statement } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { useNow } from '../../app/clock.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { formatMonth, formatNumber } from '../../text/format.ts';

type Line = Statement['lines'][number];
const MONTHS = 12;

const COLUMNS: readonly Column<Line>[] = [
  {
    title: 'Account',
    width: 'minmax(180px, 1fr)',
    cell: ({ accountName }) => <span className="mono">{accountName}</span>,
  },
  {
    title: 'Billable uses',
    width: '140px',
    align: 'right',
    cell: ({ transactions }) => formatNumber(transactions),
  },
];

/** This month by the domain's clock, and those before it. */
function lastMonths(nowMs: number): readonly string[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7),
  );
}

/** What the account is billed for, line by line. */
export function StatementCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const months = lastMonths(useNow());
  const [chosen, setChosen] = useState<string | undefined>();
  const month = chosen ?? months[0]!;
  const statement = useInfiniteQuery({
    queryKey: ['managed', accountName, service, 'statement', month],
    queryFn: ({ pageParam, signal }) => readStatement(accountName, service, month, pageParam, signal),
    initialPageParam: 0 as number,
    getNextPageParam: ({ next }) => next,
  });
  const first = statement.data?.pages[0];
  return (
    <Card
      title="Statement"
      flush
      aside={
        <div className="row">
          <span className="small soft">
            {first
              ? `${first.skuName || 'No subscription'}: ${formatNumber(first.total)} of ${formatNumber(first.allowed)} uses`
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
      {statement.isError ? (
        <Problem error={statement.error} retry={() => void statement.refetch()} />
      ) : (
        <DataTable
          label="Statement"
          columns={COLUMNS}
          rows={statement.data?.pages.flatMap(({ lines }) => lines)}
          keyOf={(line) => line.accountName}
          height={300}
          empty={<Empty title="Nothing was used in this month" />}
          onEnd={
            statement.hasNextPage && !statement.isFetchingNextPage
              ? () => void statement.fetchNextPage()
              : undefined
          }
        />
      )}
    </Card>
  );
}
