import { useMemo, useState } from 'react';
import { type LoggedCall, listCalls } from '../../api/sandbox.ts';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import { CallDialog } from './CallDialog.tsx';

const READ_MS = 3_000;

export function StatusBadge({ status }: Pick<LoggedCall, 'status'>) {
  if (status === null) return <Badge tone="bad">No answer</Badge>;
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
}

const columnsOf = (open: (call: LoggedCall) => void): readonly Column<LoggedCall>[] => [
  {
    title: 'When',
    wide: true,
    width: TIME_WIDTH,
    sortBy: ({ at }) => String(at),
    cell: ({ at }) => formatTime(String(at)),
  },
  {
    title: 'Call',
    width: 'minmax(220px, 3fr)',
    sortBy: ({ method, path }) => `${method} ${path}`,
    cell: (call) => (
      <button type="button" className="row-link" onClick={() => open(call)}>
        <span className="mono small">
          {call.method} {call.path}
        </span>
      </button>
    ),
  },
  {
    title: 'Answer',
    width: '110px',
    sortBy: ({ status }) => status,
    text: ({ status, injected }) => `${status ?? 'No answer'}${injected === null ? '' : ' on purpose'}`,
    cell: ({ status, injected }) => (
      <>
        <StatusBadge status={status} /> {injected !== null && <Badge tone="accent">on purpose</Badge>}
      </>
    ),
  },
  {
    title: 'Why',
    wide: true,
    width: 'minmax(140px, 2fr)',
    sortBy: ({ reason }) => reason?.message ?? null,
    cell: ({ reason }) => <span className="small soft">{reason?.message}</span>,
  },
  {
    title: 'Who',
    wide: true,
    width: '130px',
    sortBy: ({ caller }) => caller?.name ?? null,
    cell: ({ caller }) => caller?.name ?? '–',
  },
  {
    title: 'Took',
    wide: true,
    width: '90px',
    align: 'right',
    sortBy: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => `${formatNumber(Math.round(durationMs))} ms`,
  },
];

/** The calls of applications and operators, with their effects. It leaves out the console's own reads. */
export function Requests() {
  const operation = useTypedFilter('operation');
  const account = useTypedFilter('account');
  const status = useTypedFilter('status');
  const [open, setOpen] = useState<LoggedCall | undefined>();
  const asked = Number(status.settled);
  const filter = {
    operation: operation.settled || undefined,
    accountName: account.settled || undefined,
    status: asked >= 100 && asked <= 599 ? asked : undefined,
  };
  const calls = usePages(
    ['calls', filter],
    (mark, signal) => listCalls(filter, mark, signal),
    () => READ_MS,
  );
  const columns = useMemo(() => columnsOf(setOpen), []);
  return (
    <div className="stack">
      <div className="row">
        {(
          [
            ['Operation', operation],
            ['Account', account],
            ['Status', status],
          ] as const
        ).map(([label, { typed, setTyped }]) => (
          <input
            key={label}
            className="input"
            style={{ width: 180 }}
            type="search"
            aria-label={label}
            placeholder={label}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        ))}
      </div>
      <div className="card">
        <PagedTable
          label="Requests"
          file="requests"
          columns={columns}
          list={calls}
          rowsOf={(page) => page.calls}
          keyOf={({ id }) => id}
          height="fill"
          minWidth={960}
          empty={
            <Empty title="No calls logged yet">
              <p>Calls to the interface appear here with their results.</p>
            </Empty>
          }
        />
      </div>
      {open !== undefined && <CallDialog call={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
