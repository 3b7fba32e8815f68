import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { changeRelation, listManaged, type Relation, type Service } from '../../api/managed.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber } from '../../text/format.ts';
import { AddDialog } from './AddDialog.tsx';
import { RelationBadge, relationWord } from './state.tsx';

/** Permitted viewers can withdraw an offer that the account has not accepted yet. */
const columnsOf = (onTakeBack: ((relation: Relation) => void) | undefined): readonly Column<Relation>[] => [
  {
    title: 'Account',
    sortBy: ({ accountName }) => accountName,
    width: '154px',
    cell: ({ accountName }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/managed-accounts`}>
        {accountName}
      </Link>
    ),
  },
  {
    title: 'State',
    sortBy: relationWord,
    width: '118px',
    wide: onTakeBack !== undefined,
    cell: ({ state }) => <RelationBadge state={state} />,
  },
  {
    title: 'SKU',
    sortBy: ({ skuName }) => skuName,
    wide: true,
    width: 'minmax(180px, 1fr)',
    cell: ({ skuName }) => <span title={skuName}>{skuName}</span>,
  },
  ...(onTakeBack === undefined
    ? []
    : [
        {
          title: '',
          width: '130px',
          cell: (relation: Relation) =>
            relation.state === 'added' && (
              <Button
                style={{ height: 28, position: 'relative' }}
                aria-label={`Withdraw ${relation.accountName}`}
                onClick={() => onTakeBack(relation)}
              >
                Withdraw
              </Button>
            ),
        },
      ]),
];

export function ManagedCard({ service }: { readonly service: Service }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const [adding, setAdding] = useState(false);
  const taking = useMutation({
    mutationFn: (relation: Relation) => changeRelation(service, 'cancel', relation),
    onSuccess: () => say('Offer withdrawn'),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['managed'] }),
  });
  const managed = usePages(['managed', accountName, service, 'list'], (mark, signal) =>
    listManaged(accountName, service, mark, signal),
  );
  const first = managed.pages?.[0];
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
      <PagedTable
        label="Managed accounts"
        file="managed-accounts"
        columns={columnsOf(mayChange(session, 'fleet') ? taking.mutate : undefined)}
        list={managed}
        rowsOf={({ accounts }) => accounts}
        keyOf={(relation) => relation.accountName}
        height={280}
        minWidth={600}
        empty={
          <Empty
            title={
              first?.mayManage === false
                ? 'Only users of this account can see the accounts it manages'
                : 'No managed accounts'
            }
          />
        }
      />
      {adding && <AddDialog service={service} onClose={() => setAdding(false)} />}
    </Card>
  );
}
