import type { Ctx } from '../context/context.ts';
import { type Query, sql } from '../db/sql.ts';
import type { FleetSection, Found, OfProfile, Rule, Step, Work } from './section.ts';

export const PROBLEMS_MAX = 100;

export async function verifyStep(
  ctx: Ctx,
  section: string,
  step: Step,
  ecpdIds: readonly string[],
): Promise<readonly Found[]> {
  if (typeof step === 'function') {
    await step(ctx, ecpdIds);
    return [];
  }
  if ('find' in step) return step.find(ctx, ecpdIds);
  if ('unique' in step)
    return ctx.db.many<Found>(sql`
      select position, path, 'stands in the document twice' as detail from (
        select s.position, ${step.path}::text as path,
          row_number() over (partition by ${step.unique} order by s.position) as n
        from staged_entry s where s.section = ${section}) numbered
      where n > 1 order by position limit ${PROBLEMS_MAX}`);
  return applyRule(ctx, section, step, ecpdIds);
}

/** The entries of one profile, called `staged`: the only part of a statement that reads the table of the import. */
export const stagedOf = (section: string, ecpdId: string): Query => sql`staged as materialized (
  select section, position, ecpd_id, body from staged_entry where section = ${section} and ecpd_id = ${ecpdId})`;

async function applyRule(
  { db }: Ctx,
  section: string,
  { path, detail, from, condition }: Rule,
  ecpdIds: readonly string[],
): Promise<readonly Found[]> {
  const found = (staged: Query, source: Query, where: Query) =>
    db.many<Found>(sql`
      with ${staged} select s.position, ${path}::text as path, ${detail}::text as detail from ${source}
      where ${where} order by s.position limit ${PROBLEMS_MAX}`);
  if (typeof condition !== 'function' && typeof from !== 'function') {
    const all = sql`staged as (select * from staged_entry where section = ${section})`;
    return found(all, from ?? sql`staged s`, condition);
  }
  const problems: Found[] = [];
  for (const ecpdId of ecpdIds) {
    const of = (part: Query | OfProfile) => (typeof part === 'function' ? part(ecpdId) : part);
    problems.push(...(await found(stagedOf(section, ecpdId), of(from ?? sql`staged s`), of(condition))));
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems.slice(0, PROBLEMS_MAX);
}

/** The field is needed only in a new entry; the words are those of a schema with a required field. */
export const missing = (name: string) => ({
  path: `/${name}`,
  detail: `must have required property '${name}'`,
});

/** `known` must find each name in the entry's list; it calls the name `n`. */
export const refersTo = (list: string, detail: string, known: OfProfile): Rule => ({
  path: `/${list}`,
  detail,
  condition: (ecpdId) => sql`exists (
    select 1 from jsonb_array_elements_text(s.body->${list}) n where not exists (${known(ecpdId)}))`,
});

/**
 * An entry without an id means the row with the same name, if there is exactly one. `kept` is the table, called `t`; `same`
 * compares it with `s`.
 */
export const resolveIds =
  (section: string, member: string, { kept, id, same }: { kept: Query; id: Query; same: Query }): Work =>
  async ({ db }, ecpdIds) => {
    for (const ecpdId of ecpdIds)
      await db.exec(sql`
        with ${stagedOf(section, ecpdId)},
        named as materialized (
          select s.position, min(${id}::text) as id from staged s join ${kept} t on t.ecpd_id = ${ecpdId} and ${same}
          where not s.body ? ${member} group by s.position having count(*) = 1)
        update staged_entry e set body = e.body || ('{"' || ${member} || '":"' || named.id || '"}')::jsonb
        from named where e.section = ${section} and e.ecpd_id = ${ecpdId} and e.position = named.position`);
  };

const byAccount =
  (section: string, only: Query): Work =>
  ({ db }) =>
    db.exec(sql`
    update staged_entry s set ecpd_id = a.ecpd_id from account_directory a
    where s.section = ${section} and a.account_name = s.body->>'accountName' and a.closed_at is null
      and ${only}`);

const byProfile =
  (section: string): Work =>
  ({ db }) =>
    db.exec(sql`
    update staged_entry s set ecpd_id = p.ecpd_id from profile p
    where s.section = ${section} and p.ecpd_id = s.body->>'ecpdId'`);

/** Sets the profile of every staged entry of the section, and reports entries without one. */
export function resolveTenants({ name, tenant }: FleetSection): readonly Step[] {
  if (tenant === 'none') return [];
  const lost = sql`s.ecpd_id = ''`;
  if (tenant === 'account')
    return [
      byAccount(name, sql`true`),
      { path: '/accountName', detail: 'names no account', condition: lost },
    ];
  return [
    byProfile(name),
    ...(tenant === 'profile or known account' ? [byAccount(name, sql`not s.body ? 'ecpdId'`)] : []),
    { path: '/ecpdId', detail: 'names no profile', condition: sql`${lost} and s.body ? 'ecpdId'` },
    { ...missing('ecpdId'), condition: sql`${lost} and not s.body ? 'ecpdId'` },
  ];
}
