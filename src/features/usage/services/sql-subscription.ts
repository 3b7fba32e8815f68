import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import type { MeteredService, Subscription } from './subscription.ts';

export const findSubscription = (db: Db, { ecpdId, accountName }: Tenant, serviceName: MeteredService) =>
  db.maybe<Subscription>(sql`
    select sku_name as "skuName", since, allowance::float8 as allowance from subscription
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** The subscriptions of the given pairs of account and service; pairs without one are left out. */
export const listSubscriptions = (
  db: Db,
  ecpdId: string,
  given: readonly { readonly accountName: string; readonly serviceName: MeteredService }[],
) =>
  db.many<Subscription & { accountName: string; serviceName: MeteredService }>(sql`
    select s.account_name as "accountName", s.service_name as "serviceName", s.sku_name as "skuName", s.since,
      s.allowance::float8 as allowance
    from unnest(${given.map((a) => a.accountName)}::text[], ${given.map((a) => a.serviceName)}::text[])
      as a (account_name, service_name)
    join subscription s on s.ecpd_id = ${ecpdId} and s.account_name = a.account_name and s.service_name = a.service_name`);

interface LimitedMonth {
  readonly skuName: string;
  readonly allowance: number | null;
  readonly used: number;
}

/**
 * How much of its subscription an account used: uses billed to it or, while another account pays, all its own uses. `a`
 * is the account, `s` its subscription, `m` its month.
 */
const used = (ecpdId: string): Query => sql`
  coalesce(case when exists (
      select 1 from managed_account k where k.ecpd_id = ${ecpdId} and k.account_name = a.account_name
        and k.service_name = s.service_name and k.state = 'provisioned')
    then m.own_transactions else m.transactions end, 0)::float8`;

/** The counters that the subscription limits: the account's own, and that of the account that pays for it. */
export const listLimitedMonths = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: MeteredService,
  now: Date,
) =>
  db.many<LimitedMonth>(sql`
    select s.sku_name as "skuName", s.allowance::float8 as allowance, ${used(ecpdId)} as used
    from account a
    join service_limit l on l.ecpd_id = ${ecpdId} and l.account_name = a.account_name and l.service_name = ${serviceName}
    join subscription s on s.ecpd_id = ${ecpdId} and s.account_name = a.account_name and s.service_name = ${serviceName}
    left join service_month m on m.ecpd_id = ${ecpdId} and m.account_name = a.account_name
      and m.service_name = ${serviceName} and m.month = to_char(${now}::timestamptz at time zone a.time_zone, 'YYYY-MM')
    where a.ecpd_id = ${ecpdId} and (a.account_name = ${accountName} or a.account_name = (
      select paccount_name from managed_account
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}
        and state = 'provisioned'))`);

/** At most one row for each metered service. */
export const listSubscribedServices = (db: Db, { ecpdId, accountName }: Tenant, now: Date) =>
  db.many<Subscription & { serviceName: MeteredService; used: number }>(sql`
    select s.service_name as "serviceName", s.sku_name as "skuName", s.since, s.allowance::float8 as allowance,
      ${used(ecpdId)} as used
    from subscription s
    join account a on a.ecpd_id = ${ecpdId} and a.account_name = s.account_name
    left join service_month m on m.ecpd_id = ${ecpdId} and m.account_name = s.account_name
      and m.service_name = s.service_name and m.month = to_char(${now}::timestamptz at time zone a.time_zone, 'YYYY-MM')
    where s.ecpd_id = ${ecpdId} and s.account_name = ${accountName}
    order by s.service_name`);

interface ServiceLimit {
  readonly accountName: string;
  readonly serviceName: MeteredService;
}

/** From now on exactly these services of the accounts close when the subscribed number is used up. */
export async function limitServices(
  { db }: Ctx,
  ecpdId: string,
  accountNames: readonly string[],
  limits: readonly ServiceLimit[],
): Promise<void> {
  await db.exec(sql`
    delete from service_limit where ecpd_id = ${ecpdId} and account_name = any(${accountNames}::text[])
      and not (account_name, service_name) in (
        select * from unnest(${limits.map((l) => l.accountName)}::text[], ${limits.map((l) => l.serviceName)}::text[]))`);
  await db.exec(sql`
    insert into service_limit (ecpd_id, account_name, service_name)
    select p.ecpd_id, l.* from profile p cross join unnest(${limits.map((l) => l.accountName)}::text[],
      ${limits.map((l) => l.serviceName)}::text[]) as l (account_name, service_name)
    where p.ecpd_id = ${ecpdId} order by 2, 3 on conflict do nothing`);
}
