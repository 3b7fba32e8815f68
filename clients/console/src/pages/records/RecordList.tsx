import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { type ListedRecord, listRecords, type RecordKind } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { selectionOf } from './selection.ts';

const TABS = [
  { id: 'device', label: 'Devices' },
  { id: 'gateway', label: 'Gateways' },
  { id: 'sensor', label: 'Sensors' },
] as const;

const modelOf = ({ manufacturer, model }: ListedRecord): string =>
  [manufacturer, model].filter(Boolean).join(' ');

const columnsOf = (base: string): readonly Column<ListedRecord>[] => [
  {
    title: 'Name',
    sortBy: ({ id, name }) => name ?? id,
    width: 'minmax(150px, 1fr)',
    cell: ({ id, name }) => (
      <Link className="row-link" href={`${base}/${id}`}>
        {name ?? id}
      </Link>
    ),
  },
  {
    title: 'Description',
    sortBy: ({ description }) => description ?? null,
    width: 'minmax(180px, 1.5fr)',
    wide: true,
    cell: ({ description }) => description ?? '–',
  },
  {
    title: 'Model',
    sortBy: modelOf,
    wide: true,
    width: 'minmax(190px, 1.4fr)',
    cell: (record) => modelOf(record) || '–',
  },
  {
    title: 'Serial',
    sortBy: ({ serial }) => serial ?? null,
    width: '150px',
    wide: true,
    cell: ({ serial }) => <span className="mono">{serial ?? '–'}</span>,
  },
  {
    title: 'Changed',
    sortBy: ({ lastUpdated }) => lastUpdated,
    width: '110px',
    cell: ({ lastUpdated }) => <TimeAgo at={lastUpdated} />,
  },
];

export function RecordList({ kind }: { readonly kind: RecordKind }) {
  const accountName = useAccount();
  const [, navigate] = useLocation();
  const { typed, setTyped, settled } = useTypedFilter('fields');
  const selection = useMemo(() => selectionOf(settled), [settled]);
  const base = `/accounts/${accountName}/records`;
  const list = usePages(['records', accountName, kind, 'list', selection], (mark, signal) =>
    listRecords(accountName, kind, selection, mark, signal),
  );
  const columns = useMemo(() => columnsOf(`${base}/${kind}`), [base, kind]);
  return (
    <>
      <PageHead title="Device records">
        <Tabs
          label="Kind of record"
          tabs={TABS}
          selected={kind}
          onSelect={(id) => navigate(`${base}/${id}`)}
        />
        <input
          className="input"
          style={{ width: 320 }}
          type="search"
          aria-label="Fields"
          placeholder="A name, or field = value, field = value"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </PageHead>
      <TabPanel label="Kind of record" selected={kind}>
        <div className="card">
          <PagedTable
            label="Records"
            file={`records-${kind}`}
            columns={columns}
            list={list}
            rowsOf={({ records }) => records}
            keyOf={({ id }) => id}
            height="fill"
            minWidth={860}
            empty={<Empty title="No record matches" />}
          />
        </div>
      </TabPanel>
    </>
  );
}
