import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readBill, readBillMonths } from '../../api/billing.ts';
import { useAccount } from '../../app/account.tsx';
import { Figure } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { formatBytes, formatMoney, formatMonth, formatNumber, formatPeriod } from '../../text/format.ts';
import { BillTable } from './BillTable.tsx';
import { MonthsCard } from './MonthsCard.tsx';

export default function Billing() {
  const accountName = useAccount();
  const [chosen, setChosen] = useState<string | undefined>();
  const months = useQuery({
    queryKey: ['billing', accountName],
    queryFn: ({ signal }) => readBillMonths(accountName, signal),
  });
  const month = chosen ?? months.data?.current;
  const bill = useQuery({
    queryKey: ['usage', accountName, 'bill', month],
    queryFn: ({ signal }) => readBill(accountName, month!, signal),
    enabled: month !== undefined,
  });
  const { data } = bill;
  const waiting = <Skeleton height={26} width={110} />;
  const problem = <ReadProblem error={months.error} data={months.data} retry={() => void months.refetch()} />;
  if (months.isError && months.data === undefined) return problem;
  return (
    <>
      <PageHead title="Billing" note={data ? formatPeriod(data) : '\u00a0'}>
        <select
          className="input"
          style={{ width: 180 }}
          aria-label="Billing month"
          value={month ?? ''}
          onChange={(event) => setChosen(event.target.value)}
        >
          {months.data?.months.toReversed().map((one) => (
            <option key={one.month} value={one.month}>
              {formatMonth(one.month)}
            </option>
          ))}
        </select>
      </PageHead>
      {problem}
      <div className="grid">
        <Figure label="Billed" value={data ? formatMoney(data.amount, data.currency) : waiting} />
        <Figure label="Billed usage" value={data ? formatBytes(data.billedBytes) : waiting} />
        <Figure label="All usage" value={data ? formatBytes(data.totalBytes) : waiting} />
        <Figure
          label={data?.by === 'apn' ? 'APNs' : 'Rating groups'}
          value={data ? formatNumber(data.groups.length) : waiting}
          note={data?.more ? 'and more, not listed' : undefined}
        />
        <MonthsCard bills={months.data} />
        <BillTable bill={data} error={bill.error} retry={() => void bill.refetch()} />
      </div>
    </>
  );
}
