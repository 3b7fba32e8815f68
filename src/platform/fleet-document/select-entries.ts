import type { Db } from '../db/db.ts';
import { joinSql, sql, trusted } from '../db/sql.ts';
import type { ExportedAccount, ExportFilter, FleetSection, Selection } from './section.ts';

const EXPORT_PAGE = 1_000;

const ofAccount =
  (alias: string) =>
  ({ ecpdId, accountName }: ExportedAccount) =>
    sql`${trusted(alias)}.ecpd_id = ${ecpdId} and ${trusted(alias)}.account_name = ${accountName}`;

export async function* selectPages<Row>(
  db: Db,
  { select, from, alias = 'x', key, groupBy, where = ofAccount(alias) }: Selection,
  filter: ExportFilter,
): AsyncGenerator<readonly Row[]> {
  const columns = trusted(key.map((column) => `${alias}.${column}`).join(', '));
  const asTexts = trusted(key.map((column) => `${alias}.${column}::text`).join(', '));
  const narrowed = filter === undefined ? sql`true` : where(filter);
  let behind = sql`true`;
  for (;;) {
    const page = await db.many<{ pageKey: readonly string[] }>(sql`
      select ${select}, array[${asTexts}] as "pageKey" from ${from}
      where ${behind} and ${narrowed}
      ${groupBy === undefined ? sql`` : sql`group by ${groupBy}`}
      order by ${columns} limit ${EXPORT_PAGE}`);
    if (page.length > 0) yield page.map(({ pageKey: _, ...row }) => row as Row);
    const last = page.at(-1)?.pageKey;
    if (last === undefined || page.length < EXPORT_PAGE) return;
    const values = last.map((value) => sql`${value}`);
    behind = sql`(${columns}) > (${joinSql(values, ', ')})`;
  }
}

export async function* selectEntries(
  db: Db,
  section: FleetSection,
  filter: ExportFilter,
): AsyncGenerator<unknown> {
  const { export: selection } = section;
  if (typeof selection === 'function') return yield* selection(db, filter);
  const { entryOf = (row: unknown) => row } = selection;
  for await (const page of selectPages(db, selection, filter))
    for (const row of page) yield entryOf(row as never);
}
