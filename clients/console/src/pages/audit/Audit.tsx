import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AuditEntry, listAudit } from '../../api/operation.ts';
import { useTyped } from '../../app/use-typed.ts';
import { Badge } from '../../parts/Badge.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';

const columnsOf = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    title: 'When',
    width: '180px',
    cell: (entry) => (
      <button type="button" className="row-link" onClick={() => open(entry)}>
        {formatTime(entry.at)}
      </button>
    ),
  },
  {
    title: 'Who',
    width: 'minmax(140px, 1fr)',
    cell: ({ actorKind, actor }) => (
      <>
        {actor} <span className="soft small">{actorKind}</span>
      </>
    ),
  },
  { title: 'What', width: 'minmax(180px, 1.5fr)', cell: ({ action }) => action },
  { title: 'About', width: 'minmax(140px, 1.5fr)', cell: ({ target }) => target ?? '–' },
  {
    title: 'Account',
    width: '160px',
    cell: ({ accountName }) => <span className="mono">{accountName ?? '–'}</span>,
  },
  {
    title: 'Outcome',
    width: '100px',
    cell: ({ status }) =>
      status === null ? (
        '–'
      ) : (
        <Badge tone={status < 400 ? 'good' : 'bad'}>
          {status < 400 ? `Done ${status}` : `Refused ${status}`}
        </Badge>
      ),
  },
];

function EntryDialog({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { action, at, actorKind, actor, target, accountName, requestId, status, before, after } = entry;
  const facts: readonly [string, string | null][] = [
    ['When', formatTime(at)],
    ['Who', `${actor} (${actorKind})`],
    ['About', target],
    ['Account', accountName],
    ['Status', status === null ? null : String(status)],
    ['Request', requestId],
  ];
  return (
    <Dialog title={action} onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value ?? '–'}</dd>
            </div>
          ))}
        </dl>
        {before != null && <pre className="json">{JSON.stringify(before, null, 2)}</pre>}
        {after != null && <pre className="json">{JSON.stringify(after, null, 2)}</pre>}
      </div>
    </Dialog>
  );
}

export default function Audit() {
  const [actor, setActor] = useState('');
  const [action, setAction] = useState('');
  const [accountName, setAccountName] = useState('');
  const [open, setOpen] = useState<AuditEntry | undefined>();
  const filter = {
    actor: useTyped(actor.trim()) || undefined,
    action: useTyped(action.trim()) || undefined,
    accountName: useTyped(accountName.trim()) || undefined,
  };
  const audit = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => listAudit(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const columns = useMemo(() => columnsOf(setOpen), []);
  return (
    <>
      <PageHead title="Audit log">
        {(
          [
            ['Who', actor, setActor],
            ['What', action, setAction],
            ['Account', accountName, setAccountName],
          ] as const
        ).map(([label, value, set]) => (
          <input
            key={label}
            className="input"
            style={{ width: 180 }}
            type="search"
            aria-label={label}
            placeholder={label}
            value={value}
            onChange={(event) => set(event.target.value)}
          />
        ))}
      </PageHead>
      <div className="card">
        {audit.isError ? (
          <Problem error={audit.error} retry={() => void audit.refetch()} />
        ) : (
          <DataTable
            label="Audit log"
            columns={columns}
            rows={audit.data?.pages.flatMap(({ entries }) => entries)}
            keyOf={({ id }) => id}
            height="fill"
            minWidth={960}
            empty={<Empty title="Nothing found" />}
            onEnd={
              audit.hasNextPage && !audit.isFetchingNextPage ? () => void audit.fetchNextPage() : undefined
            }
          />
        )}
      </div>
      {open !== undefined && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
