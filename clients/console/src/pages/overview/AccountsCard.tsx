import { Link } from 'wouter';
import { type AccountUsage, listAccountUsage } from '../../api/session.ts';
import { usePages } from '../../app/use-pages.ts';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatBytes, formatNumber, formatPercent } from '../../text/format.ts';

const COLUMNS: readonly Column<AccountUsage>[] = [
  {
    title: 'Account',
    sortBy: ({ accountName }) => accountName,
    width: '160px',
    cell: ({ accountName }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/overview`}>
        {accountName}
      </Link>
    ),
  },
  {
    title: 'Organization',
    sortBy: ({ organizationName }) => organizationName,
    wide: true,
    width: 'minmax(140px, 2fr)',
    cell: ({ organizationName }) => organizationName ?? '–',
  },
  {
    title: 'Active lines',
    sortBy: ({ activeLines }) => activeLines,
    wide: true,
    width: '110px',
    align: 'right',
    cell: ({ activeLines, accountName }) => (
      <Link className="above-row" href={`/accounts/${accountName}/devices?state=active`}>
        {formatNumber(activeLines)}
      </Link>
    ),
  },
  {
    title: 'Used',
    sortBy: ({ usedBytes }) => usedBytes,
    width: '100px',
    align: 'right',
    cell: ({ usedBytes }) => formatBytes(usedBytes),
  },
  {
    title: 'Allowance',
    sortBy: ({ allowanceBytes }) => allowanceBytes,
    wide: true,
    width: '100px',
    align: 'right',
    cell: ({ allowanceBytes }) => (allowanceBytes === null ? '–' : formatBytes(allowanceBytes)),
  },
  {
    title: 'Share',
    wide: true,
    width: 'minmax(120px, 1fr)',
    cell: ({ usedBytes, allowanceBytes, accountName }) => (
      <Meter part={usedBytes} whole={allowanceBytes ?? 0} label={`Used by ${accountName}`} />
    ),
  },
  {
    title: '%',
    sortBy: ({ usedBytes, allowanceBytes }) => (allowanceBytes ? usedBytes / allowanceBytes : null),
    width: '80px',
    align: 'right',
    cell: ({ usedBytes, allowanceBytes }) => formatPercent(usedBytes, allowanceBytes ?? 0),
  },
];

const HEIGHT = 252;

/** The viewer's accounts, with the share of the allowance that each has used. */
export function AccountsCard() {
  const usage = usePages(['usage', 'accounts'], (mark, signal) => listAccountUsage(mark, signal));
  return (
    <Card title="Accounts" flush>
      <PagedTable
        label="Usage of the accounts"
        file="usage-of-accounts"
        columns={COLUMNS}
        list={usage}
        rowsOf={({ accounts }) => accounts}
        keyOf={({ accountName }) => accountName}
        height={HEIGHT}
        minWidth={860}
        empty={<Empty title="No account" />}
      />
    </Card>
  );
}
