import { Fragment, useMemo, useState } from 'react';
import type { Pages } from '../app/use-pages.ts';
import { Button } from './Button.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { ReadProblem } from './states.tsx';
import { ToolTable } from './ToolTable.tsx';

interface PagedTableProps<Page, Row> extends Omit<DataTableProps<Row>, 'rows' | 'onEnd' | 'hasMore'> {
  readonly list: Pages<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** Name of the exported file; set to show the tools above the table. */
  readonly file?: string;
}

/** A table of a `usePages` list. After a failed refetch the old rows stay, with a note. */
export function PagedTable<Page, Row>({ list, rowsOf, file, ...plain }: PagedTableProps<Page, Row>) {
  const [beginning, setBeginning] = useState(0);
  const { pages, error, retry, hasMore, readMore, showNews } = list;
  const rows = useMemo(() => pages?.flatMap(rowsOf), [pages, rowsOf]);
  const table = { ...plain, rows, hasMore, onEnd: readMore };
  async function* readAll(signal: AbortSignal) {
    for await (const page of list.readAll(signal)) yield rowsOf(page);
  }
  return (
    <>
      <ReadProblem error={error} data={pages} retry={retry} />
      {showNews !== undefined && error === null && (
        <div className="strip" role="status">
          There are new entries.
          <Button
            onClick={() => {
              showNews();
              setBeginning(beginning + 1);
            }}
          >
            Show them
          </Button>
        </div>
      )}
      {(pages !== undefined || error === null) && (
        // Scrolls to the top, where the new entries are.
        <Fragment key={beginning}>
          {file === undefined ? <DataTable {...table} /> : <ToolTable {...table} {...{ file, readAll }} />}
        </Fragment>
      )}
    </>
  );
}
