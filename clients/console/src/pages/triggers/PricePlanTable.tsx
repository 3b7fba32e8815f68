import { useMemo } from 'react';
import { Link } from 'wouter';
import { listPricePlanTriggers, type PricePlanTrigger } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { draftOf } from './form/read-draft.ts';
import { actionWords, conditionWords, subjectWords } from './words.ts';

const columnsOf = (accountName: string): readonly Column<PricePlanTrigger>[] => [
  {
    title: 'Name',
    width: 'minmax(200px, 1.4fr)',
    cell: ({ triggerId, triggerName }) => (
      <Link className="row-link" href={`/accounts/${accountName}/triggers/price-plan/${triggerId}`}>
        {triggerName}
      </Link>
    ),
  },
  {
    title: 'State',
    width: '92px',
    cell: ({ active }) => <Badge tone={active ? 'good' : 'none'}>{active ? 'Active' : 'Off'}</Badge>,
  },
  { title: 'Watches', wide: true, width: 'minmax(166px, 1fr)', cell: (one) => subjectWords(draftOf(one)) },
  {
    title: 'Fires when',
    wide: true,
    width: 'minmax(282px, 2fr)',
    cell: (one) => conditionWords(draftOf(one)),
  },
  { title: 'Then', wide: true, width: 'minmax(138px, 0.8fr)', cell: (one) => actionWords(draftOf(one)) },
  { title: 'Changed', width: '100px', wide: true, cell: ({ modifiedAt }) => <TimeAgo at={modifiedAt} /> },
];

export function PricePlanTable() {
  const accountName = useAccount();
  const list = usePages(['triggers', accountName, 'price-plan'], (mark, signal) =>
    listPricePlanTriggers(accountName, mark, signal),
  );
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <PagedTable
      label="Price plan triggers"
      columns={columns}
      list={list}
      rowsOf={({ triggers }) => triggers}
      keyOf={({ triggerId }) => triggerId}
      height="fill"
      minWidth={978}
      empty={<Empty title="No trigger watches this account" />}
    />
  );
}
