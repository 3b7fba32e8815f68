import type { TriggerFiring } from '../../api/triggers.ts';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { FiredFor } from '../../parts/FiredFor.tsx';
import { crossedBy, firedFor, formatCounted, levelWords } from '../../text/firing.ts';

/** The part of a firing that every list shows. */
export type ListedFiring = Omit<TriggerFiring, 'actions'>;

const countedColumn = (title: string, value: (firing: ListedFiring) => number): Column<ListedFiring> => ({
  title,
  sortBy: value,
  wide: true,
  width: 'minmax(88px, 0.7fr)',
  align: 'right',
  cell: (firing) => formatCounted(firing, value(firing)),
});

export const firedColumn = (
  cell: Column<ListedFiring>['cell'],
): Pick<Column<ListedFiring>, 'title' | 'sortBy' | 'width' | 'cell'> => ({
  title: 'Fired',
  sortBy: ({ firedAt }) => firedAt,
  width: TIME_WIDTH,
  cell,
});

/** The subject, its counter before and after, the level between, and the record that crossed it. */
export const COUNTED_COLUMNS: readonly Column<ListedFiring>[] = [
  {
    title: 'For',
    sortBy: firedFor,
    width: 'minmax(130px, 1.4fr)',
    cell: (firing) => <FiredFor firing={firing} />,
  },
  {
    title: 'Level',
    sortBy: ({ threshold }) => threshold,
    text: levelWords,
    wide: true,
    width: 'minmax(120px, 0.8fr)',
    cell: levelWords,
  },
  countedColumn('Before', ({ before }) => before),
  countedColumn('After', ({ after }) => after),
  {
    title: 'Crossed by',
    sortBy: crossedBy,
    wide: true,
    width: 'minmax(130px, 1.6fr)',
    cell: (firing) => <span title={crossedBy(firing)}>{crossedBy(firing)}</span>,
  },
];
