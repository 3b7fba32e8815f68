import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { checkLines, type Difference, listDifferences } from '../../api/network.ts';
import { mayAs, useSession } from '../../app/session.tsx';
import { useTypedFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { useToasts } from '../../parts/toasts.tsx';

const AGAIN_MS = 5_000;

const WORDS: Readonly<Record<string, string>> = {
  active: 'Active',
  suspended: 'Suspended',
  gone: 'Gone',
  unknown: 'Unknown',
  unconfirmed: 'Not confirmed',
};
const say = (state: string): string => WORDS[state] ?? state;

const COLUMNS: readonly Column<Difference>[] = [
  {
    title: 'IMSI',
    width: '142px',
    sortBy: ({ imsi }) => imsi,
    cell: ({ imsi, accountName }) => (
      <Link className="row-link mono" href={`/accounts/${accountName}/devices?search=${imsi}`}>
        {imsi}
      </Link>
    ),
  },
  {
    title: 'Account',
    wide: true,
    width: '170px',
    sortBy: ({ accountName }) => accountName,
    cell: ({ accountName }) => <span className="mono">{accountName}</span>,
  },
  {
    title: 'Element',
    wide: true,
    width: 'minmax(110px, 1fr)',
    sortBy: ({ element }) => element,
    cell: ({ element }) => <span title={element}>{element}</span>,
  },
  {
    title: 'Service',
    width: '95px',
    sortBy: ({ here }) => say(here),
    cell: ({ here }) => <span title={say(here)}>{say(here)}</span>,
  },
  {
    title: 'Element says',
    width: '103px',
    sortBy: ({ there }) => say(there),
    cell: ({ there }) => <span title={say(there)}>{say(there)}</span>,
  },
  {
    title: 'Since',
    wide: true,
    width: '120px',
    sortBy: ({ since }) => since,
    cell: ({ since }) => <TimeAgo at={since} />,
  },
];

/** Lines whose state differs between the service and an element. */
export function DifferencesCard() {
  const isAdmin = mayAs(useSession(), 'admin');
  const queries = useQueryClient();
  const toasts = useToasts();
  const [asked, setAsked] = useState(false);
  const { typed, setTyped, settled } = useTypedFilter('account');
  const differences = usePages(
    ['network', 'differences', settled],
    (mark, signal) => listDifferences(settled, mark, signal),
    () => AGAIN_MS,
  );
  const checking = useMutation({
    mutationFn: checkLines,
    onSuccess: (_, { repair }) =>
      toasts.say(repair ? 'Repair started' : 'Check started; it runs in the background'),
    onError: toasts.complain,
    onSettled: () => {
      setAsked(false);
      return queries.invalidateQueries({ queryKey: ['network'] });
    },
  });
  const whose = settled === '' ? 'of all accounts' : `of account ${settled}`;
  return (
    <Card
      title="Differences"
      flush
      aside={
        <div className="row">
          <input
            className="input"
            style={{ width: 190 }}
            type="search"
            aria-label="Account"
            placeholder="Account"
            value={typed}
            maxLength={32}
            onChange={(event) => setTyped(event.target.value)}
          />
          {isAdmin && (
            <>
              <Button
                busy={checking.isPending}
                onClick={() => checking.mutate({ accountName: settled, repair: false })}
              >
                Check now
              </Button>
              <Button kind="danger" onClick={() => setAsked(true)}>
                Repair
              </Button>
            </>
          )}
        </div>
      }
    >
      <PagedTable
        label="Differences"
        file="differences"
        columns={COLUMNS}
        list={differences}
        rowsOf={(page) => page.differences}
        keyOf={({ element, imsi, accountName }) => `${element} ${imsi} ${accountName}`}
        height={320}
        minWidth={760}
        empty={
          <Empty title="Nothing differs">
            <p>The service compares lines every night, and when you start a check.</p>
          </Empty>
        }
      />
      {asked && (
        <ConfirmDialog
          title="Repair differences?"
          action="Repair"
          busy={checking.isPending}
          error={null}
          onConfirm={() => checking.mutate({ accountName: settled, repair: true })}
          onClose={() => setAsked(false)}
        >
          <p>
            The service compares all lines {whose} again. If an element differs, the service orders it to
            match: a line may lose its service, or get it back.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
