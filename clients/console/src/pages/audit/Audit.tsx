import { useMemo, useState } from 'react';
import { type AuditEntry, listAudit } from '../../api/operation.ts';
import { useFilter, useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { CheckField } from '../../parts/fields.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatTime } from '../../text/format.ts';
import { ACTIONS, sayEntry } from './audit-words.ts';

const columnsOf = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    title: 'When',
    sortBy: ({ at }) => at,
    width: TIME_WIDTH,
    cell: (entry) => (
      <button type="button" className="row-link" onClick={() => open(entry)}>
        {formatTime(entry.at)}
      </button>
    ),
  },
  {
    title: 'Who',
    sortBy: ({ actorKind, actor }) => `${actor} ${actorKind}`,
    wide: true,
    width: 'minmax(140px, 1fr)',
    cell: ({ actorKind, actor }) => (
      <>
        {actor} <span className="soft small">{actorKind}</span>
      </>
    ),
  },
  {
    title: 'What',
    sortBy: sayEntry,
    width: 'minmax(130px, 3fr)',
    cell: (entry) => <span title={sayEntry(entry)}>{sayEntry(entry)}</span>,
  },
  {
    title: 'Account',
    sortBy: ({ accountName }) => accountName,
    wide: true,
    width: '160px',
    cell: ({ accountName }) => <span className="mono">{accountName ?? '–'}</span>,
  },
  {
    title: 'Outcome',
    sortBy: ({ status }) => status,
    wide: true,
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
    ['Operation', action],
    ['About', target],
    ['Account', accountName],
    ['Status', status === null ? null : String(status)],
    ['Request', requestId],
  ];
  return (
    <Dialog title={`${actor} ${sayEntry(entry)}`} onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value ?? '–'}</dd>
            </div>
          ))}
        </dl>
        {before != null && <h3 className="small">Before</h3>}
        {before != null && <pre className="json">{JSON.stringify(before, null, 2)}</pre>}
        {after != null && <h3 className="small">After</h3>}
        {after != null && <pre className="json">{JSON.stringify(after, null, 2)}</pre>}
      </div>
    </Dialog>
  );
}

export default function Audit() {
  const actor = useTypedFilter('who');
  const [action, setAction] = useFilter('what');
  const [shown, setShown] = useFilter('shown');
  const account = useTypedFilter('account');
  const [open, setOpen] = useState<AuditEntry | undefined>();
  const filter = {
    actor: actor.settled || undefined,
    action: action || undefined,
    // Filtering by operation also shows feeds and reads.
    changes: shown !== 'all' && action === '' ? true : undefined,
    accountName: account.settled || undefined,
  };
  const audit = usePages(['audit', filter], (mark, signal) => listAudit(filter, mark, signal));
  const columns = useMemo(() => columnsOf(setOpen), []);
  return (
    <>
      <PageHead title="Audit log">
        {(
          [
            ['Who', actor],
            ['Account', account],
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
        <select
          className="input"
          style={{ width: 240 }}
          aria-label="What"
          value={action}
          onChange={(event) => setAction(event.target.value)}
        >
          <option value="">All changes</option>
          {ACTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <CheckField
          label="Include reads and machine calls"
          checked={shown === 'all'}
          onChange={(event) => setShown(event.target.checked ? 'all' : '')}
        />
      </PageHead>
      <div className="card">
        <PagedTable
          label="Audit log"
          file="audit-log"
          columns={columns}
          list={audit}
          rowsOf={({ entries }) => entries}
          keyOf={({ id }) => id}
          height="fill"
          minWidth={960}
          empty={<Empty title="Nothing found" />}
        />
      </div>
      {open !== undefined && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
