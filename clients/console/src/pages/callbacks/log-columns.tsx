import type { LoggedDelivery } from '../../api/callbacks.ts';
import { StateBadge } from '../../parts/Badge.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import type { useRowSelection } from '../../parts/use-row-selection.ts';
import { formatTime } from '../../text/format.ts';

export const keyOf = ({ id }: LoggedDelivery): string => id;
export const isFailed = ({ state }: LoggedDelivery): boolean => state === 'failed';

type Selection = ReturnType<typeof useRowSelection<LoggedDelivery>>;

/** Only failed callbacks can be re-sent. */
function selectColumn(
  { selected, setAll, clear, onClick, onKeyDown }: Selection,
  rows: readonly LoggedDelivery[],
): Column<LoggedDelivery> {
  const failed = rows.filter(isFailed);
  const isAll = failed.length > 0 && failed.every(({ id }) => selected.has(id));
  return {
    title: 'Select',
    width: '36px',
    head: (
      <label className="select-box">
        <input
          type="checkbox"
          aria-label="Select all failed callbacks in the list"
          disabled={failed.length === 0}
          checked={isAll}
          onChange={() => (isAll ? clear() : setAll(rows))}
        />
      </label>
    ),
    cell: (row, index) => (
      <label className="select-box">
        <input
          type="checkbox"
          data-select-row={index}
          aria-label={`Select ${row.serviceName} of ${formatTime(row.createdAt)}, ${row.state}`}
          aria-disabled={!isFailed(row)}
          title={isFailed(row) ? undefined : 'Only failed callbacks can be re-sent'}
          checked={selected.has(row.id)}
          onClick={(event) => (isFailed(row) ? onClick(event, index) : event.preventDefault())}
          onKeyDown={(event) => onKeyDown(event, index)}
          onChange={() => {}}
        />
      </label>
    ),
  };
}

const columnsFor = (open: (id: string) => void): readonly Column<LoggedDelivery>[] => [
  {
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    width: TIME_WIDTH,
    cell: ({ id, createdAt }) => (
      <button type="button" className="row-link" onClick={() => open(id)}>
        {formatTime(createdAt)}
      </button>
    ),
  },
  {
    title: 'Service',
    sortBy: ({ serviceName }) => serviceName,
    width: 'minmax(150px, 1fr)',
    wide: true,
    cell: ({ serviceName }) => serviceName,
  },
  {
    title: 'State',
    sortBy: ({ state }) => state,
    width: 'minmax(96px, 124px)',
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    title: 'Attempts',
    sortBy: ({ attempts }) => attempts,
    width: '90px',
    wide: true,
    align: 'right',
    cell: ({ attempts }) => attempts,
  },
  {
    title: 'Last outcome',
    sortBy: ({ lastOutcome }) => lastOutcome,
    width: 'minmax(160px, 1.5fr)',
    wide: true,
    cell: ({ lastOutcome }) => lastOutcome ?? '–',
  },
  {
    title: 'Next attempt',
    sortBy: ({ nextAttemptAt }) => nextAttemptAt,
    width: '130px',
    wide: true,
    cell: ({ nextAttemptAt }) => <TimeAgo at={nextAttemptAt} />,
  },
  {
    title: 'Request',
    sortBy: ({ requestId }) => requestId,
    wide: true,
    width: 'minmax(140px, 2fr)',
    cell: ({ requestId }) => <span className="mono small">{requestId}</span>,
  },
];

interface Shown {
  readonly open: (id: string) => void;
  readonly rows: readonly LoggedDelivery[];
  /** Undefined for viewers who may not act on a selection. */
  readonly selection: Selection | undefined;
}

export const columnsOf = ({ open, rows, selection }: Shown): readonly Column<LoggedDelivery>[] =>
  selection === undefined ? columnsFor(open) : [selectColumn(selection, rows), ...columnsFor(open)];
