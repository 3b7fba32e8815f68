import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { EXPORT_PAGE, type ExportFilter } from '../../platform/fleet-document/section.ts';
import type { MeteredService } from '../usage/index.ts';

export interface UsageTrigger {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly triggerName: string;
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly thresholdPercent: number;
  readonly allowExcess: boolean;
  readonly sendSms: boolean;
  readonly smsPhoneNumbers: readonly string[];
  readonly sendEmail: boolean;
  readonly emailAddresses: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const NO_TRIGGER = '00000000-0000-0000-0000-000000000000';

export const exportTriggers = (
  db: Db,
  { ecpdId, accountName }: ExportFilter,
  after: UsageTrigger | undefined,
) =>
  db.many<UsageTrigger>(sql`
    select ecpd_id as "ecpdId", trigger_id as "triggerId", trigger_name as "triggerName", account_name as "accountName",
      service_name as "serviceName", threshold_percent as "thresholdPercent", allow_excess as "allowExcess",
      send_sms as "sendSms", sms_phone_numbers as "smsPhoneNumbers", send_email as "sendEmail",
      email_addresses as "emailAddresses", created_at as "createdAt", updated_at as "updatedAt"
    from usage_trigger
    where (ecpd_id, trigger_id) > (${after?.ecpdId ?? ''}, ${after?.triggerId ?? NO_TRIGGER}::uuid)
      and ${accountName === undefined ? sql`true` : sql`ecpd_id = ${ecpdId} and account_name = ${accountName}`}
    order by ecpd_id, trigger_id limit ${EXPORT_PAGE}`);
