import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { cancelReport, type ReportEntry, readReport, readWholeReport } from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { Empty, Problem } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { entryTime, reportCsv } from './report-csv.ts';
import { StatusBadge } from './StatusBadge.tsx';

const columnsOf = (accountName: string): readonly Column<ReportEntry>[] => [
  {
    title: 'Number',
    width: '130px',
    cell: ({ deviceId, msid }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/devices/${deviceId}`}>
        {msid || `Device ${deviceId.slice(0, 8)}`}
      </Link>
    ),
  },
  { title: 'Latitude', width: '110px', align: 'right', cell: ({ pd }) => pd.x ?? '–' },
  { title: 'Longitude', width: '110px', align: 'right', cell: ({ pd }) => pd.y ?? '–' },
  {
    title: 'Within',
    width: '90px',
    align: 'right',
    cell: ({ pd }) => (pd.radius ? `${formatNumber(Number(pd.radius))} m` : '–'),
  },
  { title: 'Time', width: '180px', cell: (entry) => entryTime(entry) },
  {
    title: 'Why not',
    width: 'minmax(180px, 1fr)',
    cell: ({ pd, error }) => error.type ?? (pd.x === undefined ? 'Still waiting' : ''),
  },
];

export function ReportDetail({ txid }: { readonly txid: string }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const report = useInfiniteQuery({
    queryKey: ['requests', accountName, 'location-reports', txid],
    queryFn: ({ pageParam, signal }) => readReport(accountName, txid, pageParam, signal),
    initialPageParam: 0 as number,
    getNextPageParam: ({ next }) => next,
  });
  const cancelling = useMutation({
    mutationFn: () => cancelReport(accountName, txid),
    onSuccess: () => say('The report is cancelled'),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['requests'] }),
  });
  const saving = useMutation({
    mutationFn: () => readWholeReport(accountName, txid),
    onSuccess: (entries) => saveAs(`location-report-${txid}.csv`, reportCsv(entries)),
    onError: complain,
  });
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  const now = report.data?.pages[0];
  const note =
    now &&
    `${formatNumber(now.totalCount)} devices: ${formatNumber(now.located)} located, ${formatNumber(now.failed)} could not be, ${formatNumber(now.waiting)} waiting`;
  return (
    <>
      <p className="small">
        <Link href={`/accounts/${accountName}/location-reports`}>← All reports</Link>
      </p>
      <PageHead title="Location report" note={note ?? '\u00a0'}>
        {now && <StatusBadge status={now.status} />}
        {now?.status === 'QUEUED' && mayChange(session, 'fleet') && (
          <Button kind="danger" onClick={() => cancelling.mutate()} busy={cancelling.isPending}>
            Cancel report
          </Button>
        )}
        <Button onClick={() => saving.mutate()} busy={saving.isPending} disabled={now === undefined}>
          Download CSV
        </Button>
      </PageHead>
      <div className="card">
        {report.isError ? (
          <Problem error={report.error} retry={() => void report.refetch()} />
        ) : (
          <DataTable
            label="Devices of the report"
            columns={columns}
            rows={report.data?.pages.flatMap(({ entries }) => entries)}
            keyOf={({ deviceId }) => deviceId}
            height="fill"
            minWidth={820}
            empty={<Empty title="The report has no devices" />}
            onEnd={
              report.hasNextPage && !report.isFetchingNextPage ? () => void report.fetchNextPage() : undefined
            }
          />
        )}
      </div>
    </>
  );
}
