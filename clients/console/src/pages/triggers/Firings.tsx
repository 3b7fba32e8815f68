import { Link } from 'wouter';
import { type Firing, listFiringsOfPeriod } from '../../api/overview.ts';
import { useAccount } from '../../app/account.tsx';
import { PeriodPicker, usePeriod } from '../../app/period.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import type { Column } from '../../parts/DataTable.tsx';
import { FiredBy } from '../../parts/FiredBy.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { Empty } from '../../parts/states.tsx';
import { firedBy } from '../../text/firing.ts';
import { formatTime } from '../../text/format.ts';
import { COUNTED_COLUMNS, firedColumn } from './firing-columns.tsx';

const COLUMNS: readonly Column<Firing>[] = [
  firedColumn(({ firedAt }) => formatTime(firedAt)),
  {
    title: 'Trigger',
    sortBy: firedBy,
    width: 'minmax(120px, 2fr)',
    cell: (firing) => <FiredBy firing={firing} className="row-link" />,
  },
  ...COUNTED_COLUMNS.map((column) => ({ ...column, wide: true })),
  {
    title: 'Cycle',
    sortBy: ({ late }) => (late ? 'Closed' : 'Open'),
    wide: true,
    width: '90px',
    cell: ({ late }) => (late ? <Badge tone="warn">Closed</Badge> : 'Open'),
  },
];

/** The firings in the period of the overview. */
export function Firings() {
  const accountName = useAccount();
  const [days, setDays] = usePeriod();
  const firings = usePages(['firings', accountName, 'period', days], (mark, signal) =>
    listFiringsOfPeriod(accountName, days, mark, signal),
  );
  return (
    <>
      <PageHead title="Firings" note={<Link href={`/accounts/${accountName}/triggers`}>All triggers</Link>}>
        <PeriodPicker days={days} onPick={setDays} />
      </PageHead>
      <div className="card">
        <PagedTable
          label="Firings of the period"
          file="firings"
          columns={COLUMNS}
          list={firings}
          rowsOf={(page) => page.firings}
          keyOf={({ firingId }) => firingId}
          height="fill"
          minWidth={1_160}
          empty={<Empty title={`No trigger has fired in these ${days} days`} />}
        />
      </div>
    </>
  );
}
