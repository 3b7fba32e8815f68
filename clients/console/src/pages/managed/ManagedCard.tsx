import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { listManaged, type Relation, type Service } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty, Problem } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';
import { AddDialog } from './AddDialog.tsx';
import { RelationBadge } from './state.tsx';

const COLUMNS: readonly Column<Relation>[] = [
  {
    title: 'Account',
    width: '180px',
    cell: ({ accountName }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/managed-accounts`}>
        {accountName}
      </Link>
    ),
  },
  { title: 'State', width: '200px', cell: ({ state }) => <RelationBadge state={state} /> },
  { title: 'SKU', width: 'minmax(180px, 1fr)', cell: ({ skuName }) => skuName },
];

export function ManagedCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const session = useSession();
  const [adding, setAdding] = useState(false);
  const managed = useInfiniteQuery({
    queryKey: ['managed', accountName, service, 'list'],
    queryFn: ({ pageParam, signal }) => listManaged(accountName, service, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const first = managed.data?.pages[0];
  return (
    <Card
      title="Accounts billed with this one"
      span={8}
      flush
      aside={
        <div className="row">
          <span className="small soft">
            {first ? `${formatNumber(first.provisioned)} activated, ${formatNumber(first.added)} added` : ' '}
          </span>
          {mayChange(session, 'fleet') && <Button onClick={() => setAdding(true)}>Add accounts</Button>}
        </div>
      }
    >
      {managed.isError ? (
        <Problem error={managed.error} retry={() => void managed.refetch()} />
      ) : (
        <DataTable
          label="Managed accounts"
          columns={COLUMNS}
          rows={managed.data?.pages.flatMap(({ accounts }) => accounts)}
          keyOf={(relation) => relation.accountName}
          height={280}
          minWidth={600}
          empty={<Empty title="It manages no account" />}
          onEnd={
            managed.hasNextPage && !managed.isFetchingNextPage
              ? () => void managed.fetchNextPage()
              : undefined
          }
        />
      )}
      {adding && <AddDialog service={service} onClose={() => setAdding(false)} />}
    </Card>
  );
}
