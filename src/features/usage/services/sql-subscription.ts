import type { Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { MeteredService, Subscription } from './subscription.ts';

export const findSubscription = (db: Db, { ecpdId, accountName }: Tenant, serviceName: MeteredService) =>
  db.maybe<Subscription>(sql`
    select sku_name as "skuName", since, allowance::float8 as allowance from subscription
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);

/** Those of the accounts that have one for the service that stands at the same place. */
export const listSubscriptions = (
  db: Db,
  ecpdId: string,
  asked: readonly { readonly accountName: string; readonly serviceName: MeteredService }[],
) =>
  db.many<Subscription & { accountName: string; serviceName: MeteredService }>(sql`
    select s.account_name as "accountName", s.service_name as "serviceName", s.sku_name as "skuName", s.since,
      s.allowance::float8 as allowance
    from unnest(${asked.map((a) => a.accountName)}::text[], ${asked.map((a) => a.serviceName)}::text[])
      as a (account_name, service_name)
    join subscription s on s.ecpd_id = ${ecpdId} and s.account_name = a.account_name and s.service_name = a.service_name`);
