import { useMemo, useState } from 'react';
import { formatNumber } from '../text/format.ts';
import { ColumnChooser, useKeptNames } from './ColumnChooser.tsx';
import { type Column, DataTable, type DataTableProps } from './DataTable.tsx';
import { saveAs } from './save-as.ts';
import { Empty, sentenceOf } from './states.tsx';
import { csvHead, csvRows, filterRows, type TextColumn, withText } from './table-text.ts';
import { ReadAllButton, useReadAll } from './use-read-all.tsx';

export interface ToolTableProps<Row> extends DataTableProps<Row> {
  /** Name of the exported file, and key for the stored choice of columns. */
  readonly file: string;
  /** Reads all pages, when these rows are only a part. */
  readonly readAll?: ((signal: AbortSignal) => AsyncIterable<readonly Row[]>) | undefined;
}

const countWords = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`;

function countOf(found: number, all: number, hasMore: boolean): string {
  if (hasMore) return `The first ${countWords(all)}`;
  return found === all ? countWords(all) : `${formatNumber(found)} of ${countWords(all)}`;
}

/** The text of a cell if it is plain text; it may differ from the text in the file. */
const shownText = <Row,>(column: TextColumn<Row>, row: Row): string => {
  const shown = (column as Column<Row>).cell(row, 0);
  return typeof shown === 'string' ? shown : '';
};

const NoneFound = () => <Empty title="No entry matches the filter" />;

/** The columns without those that the user has hidden; the first one with text always stays. */
function useShownColumns<Row>(file: string, columns: readonly Column<Row>[]) {
  const { keys: hidden, toggle } = useKeptNames(`linekeeper.hidden.${file}`);
  const choices = withText(columns).slice(1);
  return {
    shown: columns.filter((column) => !choices.includes(column) || !hidden.has(column.title)),
    chooser: {
      choices: choices.map(({ title }) => ({ key: title, title })),
      isShown: (title: string) => !hidden.has(title),
      toggle,
    },
  };
}

/**
 * A table that counts its rows, filters them if all are loaded, lets users choose columns, and exports what
 * the filter shows.
 */
export function ToolTable<Row>({ file, readAll, ...table }: ToolTableProps<Row>) {
  const { label, columns, rows, hasMore = false } = table;
  const [typed, setTyped] = useState('');
  const { shown, chooser } = useShownColumns(file, columns);
  // Keeps its bar, so that the layout stays still when the first row arrives.
  const isEmpty = !hasMore && rows?.length === 0;
  const isFiltered = !hasMore && typed.trim() !== '';
  // Columns are often recreated on each render with the same content.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const found = useMemo(
    () => (isFiltered ? rows && filterRows(rows, columns, typed, shownText) : rows),
    [rows, isFiltered, typed],
  );
  const reading = useReadAll<Row>(
    async function* (signal) {
      if (hasMore && readAll !== undefined) yield* readAll(signal);
      else yield found ?? [];
    },
    async (pages) => {
      const texts = [csvHead(shown)];
      for await (const page of pages) texts.push(csvRows(shown, page));
      saveAs(`${file}.csv`, ...texts);
    },
  );
  return (
    <div className="tool-table">
      <div className="selection-bar">
        <span className="count">
          {found !== undefined && rows !== undefined && countOf(found.length, rows.length, hasMore)}
          {reading.error !== null && <span className="problem"> {sentenceOf(reading.error)}</span>}
        </span>
        {!isEmpty && !hasMore && (
          <input
            className="input table-filter"
            type="search"
            aria-label={`Filter ${label}`}
            placeholder="Filter"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {!isEmpty && <ReadAllButton reading={reading} label="Export CSV" during="Exporting" />}
        {!isEmpty && <ColumnChooser {...chooser} />}
      </div>
      <DataTable {...table} columns={shown} rows={found} empty={isFiltered ? <NoneFound /> : table.empty} />
    </div>
  );
}
