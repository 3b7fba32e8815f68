import { NIL_UUID } from '../../../kernel/uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { EXPORT_PAGE, type ExportFilter } from '../../../platform/fleet-document/section.ts';

export interface AccountConsent {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly level: number;
  readonly hasDevices: boolean;
}

export interface DeviceConsent {
  readonly deviceId: string;
  readonly imei: string | null;
  readonly meid: string | null;
  readonly esn: string | null;
  readonly level: number;
}

export const exportConsents = (
  db: Db,
  { ecpdId, accountName }: ExportFilter,
  after: AccountConsent | undefined,
) =>
  db.many<AccountConsent>(sql`
    select c.ecpd_id as "ecpdId", c.account_name as "accountName", c.level,
      exists (select from device_consent d where d.ecpd_id = c.ecpd_id and d.account_name = c.account_name) as "hasDevices"
    from consent c
    where (c.ecpd_id, c.account_name) > (${after?.ecpdId ?? ''}, ${after?.accountName ?? ''})
      and ${accountName === undefined ? sql`true` : sql`c.ecpd_id = ${ecpdId} and c.account_name = ${accountName}`}
    order by c.ecpd_id, c.account_name limit ${EXPORT_PAGE}`);

export const exportDeviceConsents = (
  db: Db,
  { ecpdId, accountName }: AccountConsent,
  after: DeviceConsent | undefined,
) =>
  db.many<DeviceConsent>(sql`
    select c.device_id as "deviceId", d.imei, d.meid, d.esn, c.level
    from device_consent c
    join device d on d.ecpd_id = c.ecpd_id and d.account_name = c.account_name and d.device_id = c.device_id
    where c.ecpd_id = ${ecpdId} and c.account_name = ${accountName} and c.device_id > ${after?.deviceId ?? NIL_UUID}::uuid
    order by c.device_id limit ${EXPORT_PAGE}`);
