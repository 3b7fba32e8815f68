import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { SortButton, type Sorting, useSorted, wayOf } from './sorting.tsx';
import { Skeleton } from './states.tsx';
import type { TextColumn } from './table-text.ts';

export interface Column<Row> extends TextColumn<Row> {
  /** A track of a CSS grid, such as `minmax(140px, 2fr)` or `90px`. */
  readonly width: string;
  readonly align?: 'right';
  /** Hidden on a phone, so that the actions stay in view. */
  readonly wide?: boolean;
  /** Shown instead of the title, which then serves as the accessible name. */
  readonly head?: ReactNode;
  readonly cell: (row: Row, index: number) => ReactNode;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while the first page is loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** A height in pixels, or `fill` for the rest of the window. */
  readonly height: number | 'fill';
  /** Minimum width; a narrower table scrolls sideways. */
  readonly minWidth?: number;
  readonly empty: ReactNode;
  /** Whether more rows can be loaded. */
  readonly hasMore?: boolean;
  /** Called when the end scrolls into view and more rows exist. */
  readonly onEnd?: (() => void) | undefined;
  readonly isSelected?: (row: Row) => boolean;
  /** The order that the service applies, where it can sort; other lists are sorted here once they are complete. */
  readonly sorting?: Sorting;
}

/** Width of a column with times to the second: September is the longest month. On a phone the end may be cut off. */
export const TIME_WIDTH = 'minmax(210px, 232px)';

const ROW_PX = 36;
/** The window's height minus the bar, the heads of the page and the table, its tools, and anything else above it. */
const FILL =
  'max(320px, calc(100dvh - 186px - var(--above, 0px) - var(--tools, 0px) - var(--sandbox-bar, 0px)))';
const ROWS_WAITING = 8;

const tracksOf = (columns: readonly { readonly width: string }[]): string =>
  columns.map(({ width }) => width).join(' ');
/** Minimum width of the columns: the sum of the first number of each track. */
const leastOf = (columns: readonly { readonly width: string }[]): number =>
  columns.reduce((sum, { width }) => sum + Number(/(\d+)px/.exec(width)?.[1] ?? 0), 0);

/** Draws only the rows in view, so a hundred thousand cost as much as thirty. The fixed height keeps the layout still. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, keyOf, height, minWidth = 0, empty, hasMore = false, onEnd, isSelected } = props;
  const { sorted: rows, sortingOf } = useSorted(columns, props.rows, !hasMore, props.sorting);
  const scroll = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index;
  useEffect(() => {
    // An empty page may still be followed by others.
    if (rows !== undefined && (last ?? -1) >= rows.length - 1) onEnd?.();
  }, [rows, last, onEnd]);

  const narrow = columns.filter(({ wide }) => wide !== true);
  const style = {
    '--columns': tracksOf(columns),
    '--columns-narrow': tracksOf(narrow),
    '--table-min': `${minWidth}px`,
    '--table-min-narrow': `${leastOf(narrow)}px`,
  };
  return (
    <div className="table-scroll">
      <table
        className="data-table"
        aria-label={label}
        aria-busy={rows === undefined}
        aria-rowcount={rows === undefined || hasMore ? -1 : rows.length + 1}
        style={style as CSSProperties}
      >
        <thead>
          <tr className="data-row">
            {columns.map((column) => (
              <Head key={column.title} column={column} sorting={sortingOf(column)} />
            ))}
          </tr>
        </thead>
        <tbody
          ref={scroll}
          style={
            {
              height: height === 'fill' ? FILL : height - ROW_PX,
              '--rows': `${virtual.getTotalSize()}px`,
            } as CSSProperties
          }
        >
          {rows === undefined && <WaitingRows />}
          {rows?.length === 0 && (
            <tr className="data-note">
              <td colSpan={columns.length}>{empty}</td>
            </tr>
          )}
          {items.map(({ index, start }) => {
            const row = rows![index]!;
            return (
              <tr
                key={keyOf(row)}
                className="data-row"
                aria-rowindex={index + 2}
                aria-selected={isSelected?.(row)}
                style={{ transform: `translateY(${start}px)` }}
              >
                {columns.map(({ title, align, wide, cell }) => (
                  <td key={title} className="data-cell" data-align={align} data-wide={wide}>
                    {cell(row, index)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({
  column: { title, align, wide, head },
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: (Sorting & { readonly key: string }) | undefined;
}) {
  const plain = title === '' ? <span className="hidden-text">Actions</span> : title;
  return (
    <th
      className="data-cell"
      data-align={align}
      data-wide={wide}
      aria-sort={sorting && wayOf(sorting.key, sorting.order)}
    >
      {sorting === undefined ? (head ?? plain) : <SortButton sorting={sorting}>{title}</SortButton>}
    </th>
  );
}

function WaitingRows() {
  return (
    <tr className="data-note">
      <td className="card-body stack">
        {Array.from({ length: ROWS_WAITING }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
          <Skeleton key={i} height={18} />
        ))}
      </td>
    </tr>
  );
}
