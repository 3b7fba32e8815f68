import { useMemo } from 'react';
import { Link } from 'wouter';
import { type Customer, listCustomers } from '../../api/customers.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { formatNumber } from '../../text/format.ts';

const FACTS: readonly Column<Customer>[] = [
  {
    title: 'Customer',
    width: 'minmax(110px, 1fr)',
    sortBy: ({ ecpdId }) => ecpdId,
    cell: ({ ecpdId }) => (
      <Link className="row-link mono" href={`/customers/accounts?search=${ecpdId}`}>
        {ecpdId}
      </Link>
    ),
  },
  {
    title: 'Accounts',
    width: '110px',
    align: 'right',
    sortBy: ({ accountCount }) => accountCount,
    cell: ({ accountCount }) => formatNumber(accountCount),
  },
];

const columnsOf = (onDelete: ((ecpdId: string) => void) | undefined): readonly Column<Customer>[] =>
  onDelete === undefined
    ? FACTS
    : [
        ...FACTS,
        {
          title: '',
          width: '112px',
          align: 'right',
          cell: ({ ecpdId }) => (
            <Button kind="plain" aria-label={`Delete customer ${ecpdId}`} onClick={() => onDelete(ecpdId)}>
              Delete
            </Button>
          ),
        },
      ];

/** All customers, including those without an account. */
export function CustomerTable({ onDelete }: { readonly onDelete: ((ecpdId: string) => void) | undefined }) {
  const customers = usePages(['customers', 'all'], (mark, signal) => listCustomers(mark, signal));
  const columns = useMemo(() => columnsOf(onDelete), [onDelete]);
  return (
    <PagedTable
      label="Customers"
      file="customers"
      columns={columns}
      list={customers}
      rowsOf={(page) => page.customers}
      keyOf={({ ecpdId }) => ecpdId}
      height="fill"
      minWidth={340}
      empty={<Empty title="No customers yet" />}
    />
  );
}
