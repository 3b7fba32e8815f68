import type { DeviceId } from '../../../kernel/device-id.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Whose device an identifier is, whoever's; `nth` counts from 0. Looked up in their order, as they lie in the index. */
export const listDevicesAnywhere = (db: Db, ids: readonly DeviceId[]) =>
  db.many<{ nth: number; ecpdId: string; accountName: string; deviceId: string }>(sql`
    select (asked.nth - 1)::int as nth, di.ecpd_id as "ecpdId", di.account_name as "accountName", di.device_id as "deviceId"
    from (
      select * from unnest(${ids.map(({ kind }) => kind)}::text[], ${ids.map(({ value }) => value)}::text[])
        with ordinality as u (kind, value, nth) order by kind, value) asked
    join device_identifier di on di.kind = asked.kind and di.value = asked.value`);
