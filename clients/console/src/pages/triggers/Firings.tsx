import { useMemo } from 'react';
import { Link } from 'wouter';
import { type Firing, listFiringsOfPeriod } from '../../api/overview.ts';
import { useAccount } from '../../app/account.tsx';
import { PeriodPicker, usePeriod } from '../../app/period.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { crossedBy, firedFor, reasonOf } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';

const columnsOf = (accountName: string): readonly Column<Firing>[] => [
  {
    title: 'Fired',
    sortBy: ({ firedAt }) => firedAt,
    width: TIME_WIDTH,
    cell: ({ firedAt }) => formatTime(firedAt),
  },
  {
    title: 'Trigger',
    sortBy: ({ kind }) => (kind === 'usage' ? 'Service' : 'Price plan'),
    width: '115px',
    cell: ({ kind, triggerId }) => (
      <Link
        className="row-link"
        href={`/accounts/${accountName}/triggers/${kind === 'usage' ? 'usage' : 'price-plan'}/${triggerId}`}
      >
        {kind === 'usage' ? 'Service' : 'Price plan'}
      </Link>
    ),
  },
  {
    title: 'For',
    sortBy: firedFor,
    wide: true,
    width: 'minmax(120px, 1fr)',
    cell: (firing) => <FiredFor firing={firing} />,
  },
  {
    title: 'Why',
    sortBy: reasonOf,
    wide: true,
    width: 'minmax(215px, 2fr)',
    cell: (firing) => <span title={reasonOf(firing)}>{reasonOf(firing)}</span>,
  },
  {
    title: 'Crossed by',
    sortBy: crossedBy,
    wide: true,
    width: 'minmax(110px, 1fr)',
    cell: (firing) => <span title={crossedBy(firing)}>{crossedBy(firing)}</span>,
  },
  {
    title: 'Cycle',
    sortBy: ({ late }) => (late ? 'Closed' : 'Open'),
    wide: true,
    width: '105px',
    cell: ({ late }) => (late ? <Badge tone="warn">Closed</Badge> : 'Open'),
  },
];

/** What the overview counts in its period. */
export function Firings() {
  const accountName = useAccount();
  const [days, setDays] = usePeriod();
  const firings = usePages(['firings', accountName, 'period', days], (mark, signal) =>
    listFiringsOfPeriod(accountName, days, mark, signal),
  );
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <>
      <PageHead title="Firings" note={<Link href={`/accounts/${accountName}/triggers`}>All triggers</Link>}>
        <PeriodPicker days={days} onPick={setDays} />
      </PageHead>
      <div className="card">
        <PagedTable
          label="Firings of the period"
          file="firings"
          columns={columns}
          list={firings}
          rowsOf={(page) => page.firings}
          keyOf={({ firingId }) => firingId}
          height="fill"
          minWidth={880}
          empty={<Empty title={`No trigger has fired in these ${days} days`} />}
        />
      </div>
    </>
  );
}
