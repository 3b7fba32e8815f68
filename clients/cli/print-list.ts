import { type Answer, followNext, type InputOf, type OperatorRoute } from '../sdk/index.ts';
import { remarkOnTimes } from './domain-time.ts';
import type { Invocation } from './invocation.ts';
import { print, remark } from './print.ts';
import type { Run } from './run.ts';
import { type Column, textOf, widthMax, widthsOf, writeRow } from './table.ts';

export interface ListOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

/** Routes that answer an array. */
export type ListRoute = {
  [R in OperatorRoute]: Answer<R> extends readonly unknown[] ? R : never;
}[OperatorRoute];
export type Row<R extends ListRoute> = Answer<R>[number];

export interface List<R extends ListRoute> {
  readonly route: R;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly columns: readonly Column<Row<R>>[];
}

/** The service's page size. */
const PAGE_MAX = 1_000;

interface Page<Entry> {
  readonly rows: readonly Entry[];
  readonly more: boolean;
}

async function* listPages<R extends ListRoute>(
  { api }: Invocation,
  { route, path, query }: List<R>,
  { limit = Number.POSITIVE_INFINITY, all = false }: ListOptions,
): AsyncGenerator<Page<Row<R>>> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  let more = false;
  const pages = followNext(async (page) => {
    const input = { path, query: { ...query, page, limit: Math.min(PAGE_MAX, left) } };
    // The path and query of any list; each list description sets those that its route takes.
    const answer = await api.request(route, ...([input] as unknown as InputOf<R>));
    more = answer.headers.has('x-next');
    return answer;
  });
  for await (const rows of pages) {
    left -= rows.length;
    yield { rows, more };
    if (left <= 0) return;
  }
}

async function printArray(run: Run, pages: AsyncIterable<Page<unknown>>): Promise<void> {
  let printed = 0;
  for await (const { rows } of pages) {
    for (const row of rows) print(run, `${printed++ === 0 ? '[' : ','}${JSON.stringify(row)}`);
  }
  print(run, printed === 0 ? '[]' : ']');
}

const isTime = (cell: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell);

async function printTable<Entry>(
  run: Invocation,
  pages: AsyncIterable<Page<Entry>>,
  columns: readonly Column<Entry>[],
): Promise<void> {
  const titles = columns.map(([title]) => title);
  const max = widthMax(run.around.stdout);
  let widths: readonly number[] | undefined;
  const printRow = (cells: readonly string[]) => print(run, writeRow(cells, widths ?? [], max));
  let [more, hasTimes] = [false, false];
  for await (const page of pages) {
    const lines = page.rows.map((row) => columns.map(([, read]) => textOf(read(row))));
    if (widths === undefined && lines.length > 0) {
      // The first page sets the widths for all later rows.
      widths = widthsOf([titles, ...lines], max);
      printRow(titles);
    }
    for (const line of lines) printRow(line);
    hasTimes ||= lines.some((line) => line.some(isTime));
    more = page.more;
  }
  if (widths === undefined) remark(run, 'Nothing found.');
  const times = hasTimes ? await remarkOnTimes(run) : undefined;
  if (times !== undefined) remark(run, times);
  if (more) remark(run, 'There may be more; use --limit or --all.');
}

/** Works page by page, so that a list of any length needs the memory of one page. */
export function printList<R extends ListRoute>(
  invocation: Invocation,
  list: List<R>,
  options: ListOptions,
): Promise<void> {
  const pages = listPages(invocation, list, options);
  return invocation.json ? printArray(invocation, pages) : printTable(invocation, pages, list.columns);
}
