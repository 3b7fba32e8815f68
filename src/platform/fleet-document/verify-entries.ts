import type { Ctx } from '../context/context.ts';
import { type Query, sql } from '../db/sql.ts';
import type { FleetSection, Found, Rule, Step, Work } from './section.ts';

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
  const { path, detail, from = sql`staged_entry s`, condition } = step;
  return ctx.db.many<Found>(sql`
    select s.position, ${path}::text as path, ${detail}::text as detail from ${from}
    where s.section = ${section} and (${condition})
    order by s.position limit ${PROBLEMS_MAX}`);
}

/** Of one that is known an absent field stays; the words are those of a schema that requires the field. */
export const missing = (name: string) => ({
  path: `/${name}`,
  detail: `must have required property '${name}'`,
});

/** Each name in the entry's list must be found by `known`, which calls it `n`. */
export const refersTo = (list: string, detail: string, known: Query): Rule => ({
  path: `/${list}`,
  detail,
  condition: sql`exists (
    select from jsonb_array_elements_text(s.body->${list}) n where not exists (${known}))`,
});

/**
 * An entry without an id means the row that is named as it is, where there is exactly one. `kept` is the table, called `t`;
 * `same` compares it with `s`.
 */
export const resolveIds =
  (section: string, member: string, { kept, id, same }: { kept: Query; id: Query; same: Query }): Work =>
  ({ db }) =>
    db.exec(sql`
      update staged_entry e set body = e.body || jsonb_build_object(${member}::text, named.id)
      from (
        select s.position, min(${id}::text) as id from staged_entry s
        join ${kept} t on t.ecpd_id = s.ecpd_id and ${same}
        where s.section = ${section} and not s.body ? ${member}
        group by s.position having count(*) = 1) named
      where e.section = ${section} and e.position = named.position`);

const byAccount =
  (section: string, only: Query): Work =>
  ({ db }) =>
    db.exec(sql`
    update staged_entry s set ecpd_id = a.ecpd_id from account a
    where s.section = ${section} and a.account_name = s.body->>'accountName' and ${only}`);

const byProfile =
  (section: string): Work =>
  ({ db }) =>
    db.exec(sql`
    update staged_entry s set ecpd_id = p.ecpd_id from profile p
    where s.section = ${section} and p.ecpd_id = s.body->>'ecpdId'`);

/** Gives every staged entry of the section its profile, and reports those that name none. */
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
