import type { Ctx } from '../context/context.ts';
import { type Query, sql } from '../db/sql.ts';
import type { Staging } from './section.ts';

export const PROBLEMS_MAX = 100;

/** Where in the entry the problem is; a query where that differs from one to the next. */
type Path = string | Query;

/** `condition` speaks about `s`, the staged entry; every entry it is true for is a problem. */
export async function reportWhere(
  { db }: Ctx,
  staging: Staging,
  section: string,
  {
    path,
    detail,
    from = sql`staged_entry s`,
    condition,
  }: { path: Path; detail: string; from?: Query; condition: Query },
): Promise<void> {
  const rows = await db.many<{ position: number; path: string }>(sql`
    select s.position, ${path}::text as path from ${from} where s.section = ${section} and (${condition})
    order by s.position limit ${PROBLEMS_MAX}`);
  staging.report(
    section,
    rows.map((row) => ({ ...row, detail })),
  );
}

/** Two ways to write one name in Unicode are one name: it is kept in NFC, and compared so from here on. */
export const normaliseNames = ({ db }: Ctx, section: string, member: string) =>
  db.exec(sql`
    update staged_entry s
    set body = s.body || jsonb_build_object(${member}::text, normalize(s.body->>${member}, NFC))
    where s.section = ${section} and s.body->>${member} is not nfc normalized`);

/**
 * What only a new entry has to have: of one that is known an absent field stays. `isNew` speaks about `s`, and about what
 * `from` joins with it. The words are those of a schema that requires the field.
 */
export async function reportMissing(
  ctx: Ctx,
  staging: Staging,
  section: string,
  { names, from, isNew }: { names: readonly string[]; from: Query; isNew: Query },
): Promise<void> {
  for (const name of names) {
    await reportWhere(ctx, staging, section, {
      path: `/${name}`,
      detail: `must have required property '${name}'`,
      from,
      condition: sql`${isNew} and not s.body ? ${name}`,
    });
  }
}

/** The same key twice in one document: which of the two would hold is anybody's guess, so neither does. */
export async function reportDuplicates(
  { db }: Ctx,
  staging: Staging,
  section: string,
  { path, key }: { path: Path; key: Query },
): Promise<void> {
  const rows = await db.many<{ position: number; path: string }>(sql`
    select position, path from (
      select s.position, ${path}::text as path, row_number() over (partition by ${key} order by s.position) as n
      from staged_entry s where s.section = ${section}) numbered
    where n > 1 order by position limit ${PROBLEMS_MAX}`);
  staging.report(
    section,
    rows.map((row) => ({ ...row, detail: 'stands in the document twice' })),
  );
}
