import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { listPricePlanTriggers, type PricePlanTrigger } from '../../api/triggers.ts';
import { useAccount } from '../../app/account.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { draftOf } from './form/read-draft.ts';
import { actionWords, conditionWords, subjectWords } from './words.ts';

const columnsOf = (accountName: string): readonly Column<PricePlanTrigger>[] => [
  {
    title: 'Name',
    width: 'minmax(160px, 1.4fr)',
    cell: ({ triggerId, triggerName }) => (
      <Link className="row-link" href={`/accounts/${accountName}/triggers/price-plan/${triggerId}`}>
        {triggerName}
      </Link>
    ),
  },
  {
    title: 'State',
    width: '100px',
    cell: ({ active }) => <Badge tone={active ? 'good' : 'none'}>{active ? 'Active' : 'Off'}</Badge>,
  },
  { title: 'Watches', width: 'minmax(160px, 1.2fr)', cell: (one) => subjectWords(draftOf(one)) },
  { title: 'Fires when', width: 'minmax(200px, 1.6fr)', cell: (one) => conditionWords(draftOf(one)) },
  { title: 'Then', width: 'minmax(150px, 1.2fr)', cell: (one) => actionWords(draftOf(one)) },
  { title: 'Changed', width: '110px', cell: ({ modifiedAt }) => <TimeAgo at={modifiedAt} /> },
];

export function PricePlanTable() {
  const accountName = useAccount();
  const list = useInfiniteQuery({
    queryKey: ['triggers', accountName, 'price-plan'],
    queryFn: ({ pageParam, signal }) => listPricePlanTriggers(accountName, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  if (list.isError) return <Problem error={list.error} retry={() => void list.refetch()} />;
  return (
    <DataTable
      label="Price plan triggers"
      columns={columns}
      rows={list.data?.pages.flatMap(({ triggers }) => triggers)}
      keyOf={({ triggerId }) => triggerId}
      height="fill"
      minWidth={960}
      empty={<Empty title="No trigger watches this account" />}
      onEnd={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
    />
  );
}
