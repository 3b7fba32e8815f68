import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { listReports, type Report } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import { CreateReportDialog } from './CreateReportDialog.tsx';
import { StatusBadge } from './StatusBadge.tsx';

const columnsOf = (accountName: string): readonly Column<Report>[] => [
  {
    title: 'Requested',
    sortBy: ({ createdAt }) => createdAt,
    width: '210px',
    cell: ({ txid, createdAt }) => (
      <Link className="row-link" href={`/accounts/${accountName}/location-reports/${txid}`}>
        {formatTime(createdAt)}
      </Link>
    ),
  },
  {
    title: 'Status',
    sortBy: ({ status }) => status,
    width: '124px',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    title: 'Devices',
    sortBy: ({ totalCount }) => totalCount,
    wide: true,
    width: '100px',
    align: 'right',
    cell: ({ totalCount }) => formatNumber(totalCount),
  },
  {
    title: 'Progress',
    sortBy: ({ totalCount, waiting }) => (totalCount - waiting) / totalCount,
    text: ({ totalCount, waiting }) => `${totalCount - waiting} of ${totalCount}`,
    wide: true,
    width: 'minmax(140px, 1fr)',
    cell: ({ totalCount, waiting, status }) =>
      status === 'CANCELLED' ? (
        <span className="soft">–</span>
      ) : (
        <Progress done={totalCount - waiting} of={totalCount} />
      ),
  },
  {
    title: 'Accuracy',
    sortBy: ({ accuracy }) => accuracy,
    width: '100px',
    wide: true,
    cell: ({ accuracy }) => accuracy,
  },
  {
    title: 'Ended',
    sortBy: ({ endedAt }) => endedAt,
    width: '130px',
    wide: true,
    cell: ({ endedAt }) => <TimeAgo at={endedAt} />,
  },
  {
    title: 'Report',
    text: ({ txid }) => txid,
    width: '310px',
    wide: true,
    cell: ({ txid }) => <span className="mono small">{txid}</span>,
  },
];

function Progress({ done, of }: { readonly done: number; readonly of: number }) {
  return (
    <span style={{ display: 'grid', gap: 3 }} title={`${formatNumber(done)} of ${formatNumber(of)}`}>
      <span className="small number">{Math.floor((done / of) * 100)} %</span>
      <Meter part={done} whole={of} label="Answered" plain />
    </span>
  );
}

export function ReportList() {
  const accountName = useAccount();
  const session = useSession();
  const [creating, setCreating] = useState(false);
  const reports = usePages(['requests', accountName, 'location-reports'], (mark, signal) =>
    listReports(accountName, mark, signal),
  );
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <>
      <PageHead title="Location reports">
        {mayChange(session, 'fleet') && (
          <Button kind="main" onClick={() => setCreating(true)}>
            New report
          </Button>
        )}
      </PageHead>
      <div className="card">
        <PagedTable
          label="Location reports"
          file="location-reports"
          columns={columns}
          list={reports}
          rowsOf={(page) => page.reports}
          keyOf={({ txid }) => txid}
          height="fill"
          minWidth={1_080}
          empty={
            <Empty title="No report in the last 30 days">
              <p>A new report locates all devices or those you choose.</p>
            </Empty>
          }
        />
      </div>
      {creating && <CreateReportDialog onClose={() => setCreating(false)} />}
    </>
  );
}
