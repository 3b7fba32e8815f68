import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { listReports, type Report } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import { CreateReportDialog } from './CreateReportDialog.tsx';
import { StatusBadge } from './StatusBadge.tsx';

const columnsOf = (accountName: string): readonly Column<Report>[] => [
  {
    title: 'Asked for',
    width: '180px',
    cell: ({ txid, createdAt }) => (
      <Link className="row-link" href={`/accounts/${accountName}/location-reports/${txid}`}>
        {formatTime(createdAt)}
      </Link>
    ),
  },
  { title: 'Status', width: '124px', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Devices',
    width: '100px',
    align: 'right',
    cell: ({ totalCount }) => formatNumber(totalCount),
  },
  {
    title: 'Progress',
    width: 'minmax(140px, 1fr)',
    cell: ({ totalCount, waiting, status }) =>
      status === 'CANCELLED' ? (
        <span className="soft">–</span>
      ) : (
        <Progress done={totalCount - waiting} of={totalCount} />
      ),
  },
  { title: 'Accuracy', width: '100px', cell: ({ accuracy }) => accuracy },
  { title: 'Ended', width: '130px', cell: ({ endedAt }) => <TimeAgo at={endedAt} /> },
  { title: 'Report', width: '310px', cell: ({ txid }) => <span className="mono small">{txid}</span> },
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
  const reports = useInfiniteQuery({
    queryKey: ['requests', accountName, 'location-reports'],
    queryFn: ({ pageParam, signal }) => listReports(accountName, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
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
        {reports.isError ? (
          <Problem error={reports.error} retry={() => void reports.refetch()} />
        ) : (
          <DataTable
            label="Location reports"
            columns={columns}
            rows={reports.data?.pages.flatMap((page) => page.reports)}
            keyOf={({ txid }) => txid}
            height="fill"
            minWidth={1_080}
            empty={<Empty title="No report in the last 30 days" />}
            onEnd={
              reports.hasNextPage && !reports.isFetchingNextPage
                ? () => void reports.fetchNextPage()
                : undefined
            }
          />
        )}
      </div>
      {creating && <CreateReportDialog onClose={() => setCreating(false)} />}
    </>
  );
}
