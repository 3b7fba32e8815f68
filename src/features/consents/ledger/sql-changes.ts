import type { Db } from '../../../platform/db/db.ts';
import { isOlder, type NewestFirst } from '../../../platform/db/newest-first.ts';
import { type Query, sql } from '../../../platform/db/sql.ts';
import type { DeviceKey } from '../../devices/index.ts';
import { KINDS } from '../sql-device.ts';

interface ConsentChange {
  readonly key: string;
  readonly at: Date;
  readonly actor: string;
  readonly change: string;
  readonly level: number | null;
}

/** Consent changes for a device, or for all devices of its account, newest first. */
export const listConsentChanges = (
  db: Db,
  { ecpdId, accountName, deviceId }: DeviceKey,
  since: Date,
  page: NewestFirst,
) => {
  const part = (about: Query) => sql`
    (select lpad(entry_id::text, 20, '0') as key, at, actor, change, level from consent_ledger
     where ecpd_id = ${ecpdId} and account_name = ${accountName} and ${about} and at >= ${since}
       and ${isOlder(sql`at`, sql`lpad(entry_id::text, 20, '0')`, page)}
     order by at desc, entry_id desc limit ${page.limit})`;
  return db.many<ConsentChange>(sql`
    select * from (
      ${part(sql`device_id = ${deviceId}`)}
      union all ${part(sql`device_id is null and identifier is null`)}
      union all ${part(sql`device_id is null and identifier in (
        select value from device_identifier
        where ecpd_id = ${ecpdId} and device_id = ${deviceId} and kind = any(${KINDS}))`)}) changes
    order by at desc, key desc limit ${page.limit}`);
};
