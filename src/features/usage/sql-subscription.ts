import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { MeteredService, Subscription } from './subscription.ts';

export const findSubscription = (db: Db, { ecpdId, accountName }: Tenant, serviceName: MeteredService) =>
  db.maybe<Subscription>(sql`
    select sku_name as "skuName", since, allowance::float8 as allowance from subscription
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);
