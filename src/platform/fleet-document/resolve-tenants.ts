import type { Ctx } from '../context/context.ts';
import { type Query, sql } from '../db/sql.ts';
import { reportWhere } from './merge.ts';
import type { FleetSection, Staging } from './section.ts';

const byAccount = (section: string, only: Query) => sql`
  update staged_entry s set ecpd_id = a.ecpd_id from account a
  where s.section = ${section} and a.account_name = s.body->>'accountName' and ${only}`;

const byProfile = (section: string) => sql`
  update staged_entry s set ecpd_id = p.ecpd_id from profile p
  where s.section = ${section} and p.ecpd_id = s.body->>'ecpdId'`;

/** Gives every staged entry of the section its profile, and reports those that name none. */
export async function resolveTenants(ctx: Ctx, section: FleetSection, staging: Staging): Promise<void> {
  const { name, tenant } = section;
  if (tenant === 'none') return;
  if (tenant === 'account') await ctx.db.exec(byAccount(name, sql`true`));
  else await ctx.db.exec(byProfile(name));
  if (tenant === 'profile or known account') await ctx.db.exec(byAccount(name, sql`not s.body ? 'ecpdId'`));
  const lost = sql`s.ecpd_id is null`;
  if (tenant === 'account')
    return reportWhere(ctx, staging, name, {
      path: '/accountName',
      detail: 'names no account',
      condition: lost,
    });
  await reportWhere(ctx, staging, name, {
    path: '/ecpdId',
    detail: 'names no profile',
    condition: sql`${lost} and s.body ? 'ecpdId'`,
  });
  await reportWhere(ctx, staging, name, {
    path: '/ecpdId',
    detail: `must have required property 'ecpdId'`,
    condition: sql`${lost} and not s.body ? 'ecpdId'`,
  });
}
