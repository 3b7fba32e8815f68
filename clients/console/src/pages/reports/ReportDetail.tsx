import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'wouter';
import {
  cancelReport,
  type ReportEntry,
  type ReportPage,
  readReport,
  readWholeReport,
} from '../../api/reports.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { Empty } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { reasonOf } from './reasons.ts';
import { entryTime, reportCsv } from './report-csv.ts';
import './reports.css';
import { StatusBadge } from './StatusBadge.tsx';

const ReportMap = lazy(() => import('./ReportMap.tsx'));

const placeOf = (entry: ReportEntry): string =>
  entry.pd.x === undefined ? reasonOf(entry) : `${entry.pd.x}, ${entry.pd.y}`;

const columnsOf = (accountName: string): readonly Column<ReportEntry>[] => [
  {
    title: 'Number',
    sortBy: ({ deviceId, msid }) => msid || deviceId,
    width: '148px',
    cell: ({ deviceId, msid }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/devices/${deviceId}`}>
        {msid || `Device ${deviceId.slice(0, 8)}`}
      </Link>
    ),
  },
  {
    title: 'Position, or the reason for its absence',
    sortBy: (entry) => (entry.pd.x === undefined ? reasonOf(entry) : null),
    text: placeOf,
    width: 'minmax(210px, 1fr)',
    cell: (entry) => <span title={entry.error.type}>{placeOf(entry)}</span>,
  },
  {
    title: 'Within',
    sortBy: ({ pd }) => (pd.radius ? Number(pd.radius) : null),
    wide: true,
    width: '84px',
    align: 'right',
    cell: ({ pd }) => (pd.radius ? `${formatNumber(Number(pd.radius))} m` : '–'),
  },
  { title: 'Time', sortBy: entryTime, width: '206px', wide: true, cell: (entry) => entryTime(entry) },
];

/** After a consent is withdrawn, the service no longer returns the position. */
const READ_AGAIN_MS = 60_000;
const NO_ENTRIES: readonly ReportEntry[] = [];

/** While the report runs, the entries that the table has read; at the end all of them, once. */
function useMapped(txid: string, pages: readonly ReportPage[] | undefined): readonly ReportEntry[] {
  const accountName = useAccount();
  const isDone = pages?.[0]?.status === 'COMPLETED' || pages?.[0]?.status === 'CANCELLED';
  const whole = useQuery({
    queryKey: ['report', accountName, txid],
    queryFn: () => readWholeReport(accountName, txid),
    enabled: isDone,
    staleTime: READ_AGAIN_MS,
  });
  const read = useMemo(() => pages?.flatMap(({ entries }) => entries) ?? NO_ENTRIES, [pages]);
  return whole.data ?? read;
}

export function ReportDetail({ txid }: { readonly txid: string }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [asked, setAsked] = useState(false);
  const report = usePages<ReportPage, number>(
    ['requests', accountName, 'location-reports', txid],
    (mark, signal) => readReport(accountName, txid, mark, signal),
  );
  const cancelling = useMutation({
    mutationFn: () => cancelReport(accountName, txid),
    onSuccess: () => {
      say('Report cancelled');
      setAsked(false);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['requests'] }),
  });
  const saving = useMutation({
    mutationFn: () => readWholeReport(accountName, txid),
    onSuccess: (entries) => saveAs(`location-report-${txid}.csv`, reportCsv(entries)),
    onError: complain,
  });
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  const now = report.pages?.[0];
  const mapped = useMapped(txid, report.pages);
  const note =
    now &&
    `${formatNumber(now.totalCount)} devices: ${formatNumber(now.located)} located, ${formatNumber(now.failed)} failed, ${formatNumber(now.waiting)} waiting`;
  return (
    <>
      <p className="small">
        <Link href={`/accounts/${accountName}/location-reports`}>← All reports</Link>
      </p>
      <PageHead title="Location report" note={note ?? '\u00a0'}>
        {now && <StatusBadge status={now.status} />}
        {now?.status === 'QUEUED' && mayChange(session, 'fleet') && (
          <Button kind="danger" onClick={() => setAsked(true)}>
            Cancel report
          </Button>
        )}
        <Button onClick={() => saving.mutate()} busy={saving.isPending} disabled={now === undefined}>
          Download whole report
        </Button>
      </PageHead>
      <div className="report-layout">
        <div className="card">
          <PagedTable
            label="Devices of the report"
            file="location-report-devices"
            columns={columns}
            list={report}
            rowsOf={({ entries }) => entries}
            keyOf={({ deviceId }) => deviceId}
            height="fill"
            minWidth={650}
            empty={<Empty title="The report has no devices" />}
          />
        </div>
        <Suspense fallback={<div className="card report-map" />}>
          <ReportMap entries={report.pages && mapped} />
        </Suspense>
      </div>
      {asked && (
        <ConfirmDialog
          title="Cancel the report?"
          action="Cancel report"
          keep="Keep it"
          busy={cancelling.isPending}
          error={cancelling.error}
          onConfirm={() => cancelling.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>Devices not located by then are not located. You cannot resume the report.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
