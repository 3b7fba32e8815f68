import type { Invocation } from './invocation.ts';
import type { Query } from './operator-api.ts';
import { print } from './print.ts';
import { type Column, textOf, widthsOf, writeRow } from './table.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

export interface List<Row> {
  readonly path: string;
  readonly query?: Query;
  readonly columns: readonly Column<Row>[];
}

/** What the service gives in one answer. */
const PAGE_MAX = 1_000;

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

async function* readPages<Row>(
  { api }: Invocation,
  { path, query }: List<Row>,
  { limit = Number.POSITIVE_INFINITY, all = false }: ListOptions,
): AsyncGenerator<Page<Row>> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  let page: string | undefined;
  do {
    const answer = await api.call<Row[]>(path, {
      query: { ...query, page, limit: Math.min(PAGE_MAX, left) },
    });
    left -= answer.body.length;
    page = answer.next;
    yield { rows: answer.body, more: page !== undefined };
  } while (page !== undefined && left > 0);
}

async function printArray<Row>(pages: AsyncIterable<Page<Row>>): Promise<void> {
  let printed = 0;
  for await (const { rows } of pages) {
    for (const row of rows) print(`${printed++ === 0 ? '[' : ','}${JSON.stringify(row)}`);
  }
  print(printed === 0 ? '[]' : ']');
}

async function printTable<Row>(
  pages: AsyncIterable<Page<Row>>,
  columns: readonly Column<Row>[],
): Promise<void> {
  const titles = columns.map(([title]) => title);
  let widths: readonly number[] | undefined;
  let more = false;
  for await (const page of pages) {
    const lines = page.rows.map((row) => columns.map(([, read]) => textOf(read(row))));
    if (widths === undefined && lines.length > 0) {
      // Set by the first page: later rows keep its columns.
      widths = widthsOf([titles, ...lines]);
      print(writeRow(titles, widths));
    }
    for (const line of lines) print(writeRow(line, widths ?? []));
    more = page.more;
  }
  if (widths === undefined) process.stderr.write('Nothing found.\n');
  if (more) process.stderr.write('There may be more: give --limit or --all.\n');
}

/** Page by page: a list of any length needs the memory of one page. */
export function printList<Row>(invocation: Invocation, list: List<Row>, options: ListOptions): Promise<void> {
  const pages = readPages(invocation, list, options);
  return invocation.json ? printArray(pages) : printTable(pages, list.columns);
}
