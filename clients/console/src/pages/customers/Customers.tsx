import { useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { type Account, listAccounts } from '../../api/customers.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import { CustomerDialog } from './CustomerDialog.tsx';
import { CustomerTable } from './CustomerTable.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';

type Ask =
  | { readonly what: 'edit' | 'delete'; readonly account: Account }
  | { readonly what: 'customer'; readonly ecpdId: string }
  | { readonly what: 'new' };
type May = { readonly edit: boolean; readonly delete: boolean };

const FACTS: readonly Column<Account>[] = [
  {
    title: 'Account',
    width: '150px',
    sortBy: ({ accountName }) => accountName,
    cell: ({ accountName }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/overview`}>
        {accountName}
      </Link>
    ),
  },
  {
    title: 'Organization',
    wide: true,
    width: 'minmax(130px, 1.6fr)',
    sortBy: ({ organizationName }) => organizationName,
    cell: ({ organizationName }) => <span title={organizationName ?? ''}>{organizationName || '–'}</span>,
  },
  {
    title: 'Customer',
    wide: true,
    width: '110px',
    sortBy: ({ ecpdId }) => ecpdId,
    cell: ({ ecpdId }) => <span className="mono">{ecpdId}</span>,
  },
  {
    title: 'Time zone',
    wide: true,
    width: 'minmax(178px, 1fr)',
    sortBy: ({ timeZone }) => timeZone,
    cell: ({ timeZone }) => timeZone,
  },
  {
    title: 'Month begins',
    wide: true,
    width: '120px',
    align: 'right',
    sortBy: ({ billCycleDay }) => billCycleDay,
    cell: ({ billCycleDay }) => `day ${billCycleDay}`,
  },
  {
    title: 'Currency',
    wide: true,
    width: '90px',
    sortBy: ({ currency }) => currency,
    cell: ({ currency }) => currency,
  },
];

/** Offers only the actions that the operator may do. */
const columnsOf = (may: May, ask: (asked: Ask) => void): readonly Column<Account>[] =>
  may.edit || may.delete
    ? [
        ...FACTS,
        {
          title: '',
          width: '152px',
          align: 'right',
          cell: (account) => (
            <span className="row row-actions">
              {may.edit && (
                <Button
                  kind="plain"
                  aria-label={`Edit ${account.accountName}`}
                  onClick={() => ask({ what: 'edit', account })}
                >
                  Edit
                </Button>
              )}
              {may.delete && (
                <Button
                  kind="plain"
                  aria-label={`Delete ${account.accountName}`}
                  onClick={() => ask({ what: 'delete', account })}
                >
                  Delete
                </Button>
              )}
            </span>
          ),
        },
      ]
    : FACTS;

const LABEL = 'Show';
const TABS = [
  { id: 'accounts', label: 'Accounts' },
  { id: 'all', label: 'Customers' },
] as const;

function Dialogs({ asked, onClose }: { readonly asked: Ask; readonly onClose: () => void }) {
  switch (asked.what) {
    case 'new':
      return <AccountDialog account={undefined} onClose={onClose} />;
    case 'edit':
      return <AccountDialog account={asked.account} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog account={asked.account} onClose={onClose} />;
    case 'customer':
      return <CustomerDialog ecpdId={asked.ecpdId} onClose={onClose} />;
  }
}

function AccountTable({
  search,
  may,
  onAsk,
}: {
  readonly search: string;
  readonly may: May;
  readonly onAsk: (asked: Ask) => void;
}) {
  const accounts = usePages(['customers', 'accounts', search], (mark, signal) =>
    listAccounts(search, mark, signal),
  );
  const { edit, delete: mayDelete } = may;
  const columns = useMemo(() => columnsOf({ edit, delete: mayDelete }, onAsk), [edit, mayDelete, onAsk]);
  return (
    <PagedTable
      label="Accounts of customers"
      file="accounts"
      columns={columns}
      list={accounts}
      rowsOf={(page) => page.accounts}
      keyOf={({ accountName }) => accountName}
      height="fill"
      minWidth={1_010}
      empty={<Empty title={search === '' ? 'No accounts yet' : 'No account matches'} />}
    />
  );
}

export default function Customers() {
  const session = useSession();
  const { '*': named } = useParams<{ '*'?: string }>();
  const [, navigate] = useLocation();
  const tab = named === 'all' ? 'all' : 'accounts';
  const { typed, setTyped, settled } = useTypedFilter('search');
  const [asked, setAsked] = useState<Ask | undefined>();
  const may = { edit: mayAs(session, 'fleet'), delete: mayAs(session, 'admin') };
  return (
    <>
      <PageHead title="Customers">
        <Tabs label={LABEL} tabs={TABS} selected={tab} onSelect={(id) => navigate(`/customers/${id}`)} />
        {tab === 'accounts' && (
          <input
            className="input"
            style={{ width: 290 }}
            type="search"
            aria-label="Account, organization or customer"
            placeholder="Account, organization or customer"
            value={typed}
            maxLength={100}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {may.edit && (
          <Button kind="main" onClick={() => setAsked({ what: 'new' })}>
            New account
          </Button>
        )}
      </PageHead>
      <TabPanel label={LABEL} selected={tab}>
        <div className="card">
          {tab === 'accounts' ? (
            <AccountTable search={settled} may={may} onAsk={setAsked} />
          ) : (
            <CustomerTable
              onDelete={may.delete ? (ecpdId) => setAsked({ what: 'customer', ecpdId }) : undefined}
            />
          )}
        </div>
      </TabPanel>
      {asked !== undefined && <Dialogs asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
