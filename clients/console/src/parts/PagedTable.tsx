import { useState } from 'react';
import type { Pages } from '../app/use-pages.ts';
import { Button } from './Button.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { ReadProblem } from './states.tsx';

interface PagedTableProps<Page, Row> extends Omit<DataTableProps<Row>, 'rows' | 'onEnd' | 'hasMore'> {
  readonly list: Pages<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
}

/** A table of a list of `usePages`: what was read stays when reading it again fails, and says so. */
export function PagedTable<Page, Row>({ list, rowsOf, ...table }: PagedTableProps<Page, Row>) {
  const [beginning, setBeginning] = useState(0);
  const { pages, error, retry, hasMore, readMore, showNews } = list;
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
        // From the top, where the news is.
        <DataTable
          key={beginning}
          {...table}
          rows={pages?.flatMap(rowsOf)}
          hasMore={hasMore}
          onEnd={readMore}
        />
      )}
    </>
  );
}
