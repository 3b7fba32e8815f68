import { IsDate } from 'typebox/format';
import { isMailAddress } from '../../kernel/mail-address.ts';
import { isPhoneNumber } from '../../kernel/phone-number.ts';
import { sql } from '../../platform/db/sql.ts';
import { normaliseNames, reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import { type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { changeTriggersOf } from './change-triggers.ts';
import { UsageTriggerEntry } from './schemas.ts';
import { exportTriggers } from './sql.ts';
import { listImportedAccounts, resolveNames, upsertTriggers } from './sql-merge.ts';
import { THRESHOLD_MAX_PERCENT, TRIGGERS_PER_ACCOUNT_MAX, type UsageTrigger } from './usage-trigger.ts';
import { fromWireList, toWireTrigger } from './wire.ts';

const NEEDED = ['triggerName', 'serviceName', 'thresholdValue'] as const;

const isThreshold = (value: string | number) => Number(value) >= 1 && Number(value) <= THRESHOLD_MAX_PERCENT;

function* problemsOf(entry: UsageTriggerEntry): Generator<{ path: string; detail: string }> {
  const { triggerId, triggerName, thresholdValue, smsPhoneNumbers = '', emailAddresses = '' } = entry;
  if ((triggerId ?? triggerName) === undefined)
    yield { path: '/triggerName', detail: 'is missing, and so is triggerId: one of them is needed' };
  if (triggerName?.trim() === '') yield { path: '/triggerName', detail: 'must not be blank' };
  if (thresholdValue !== undefined && !isThreshold(thresholdValue))
    yield { path: '/thresholdValue', detail: `must be a percentage from 1 to ${THRESHOLD_MAX_PERCENT}` };
  if (!fromWireList(smsPhoneNumbers).every((number) => isPhoneNumber(number)))
    yield { path: '/smsPhoneNumbers', detail: 'must be numbers of 10 to 15 digits, separated by commas' };
  if (!fromWireList(emailAddresses).every((address) => isMailAddress(address)))
    yield { path: '/emailAddresses', detail: 'must be e-mail addresses, separated by commas' };
  for (const name of ['createDate', 'updateDate'] as const) {
    if (entry[name] !== undefined && !IsDate(entry[name]))
      yield { path: `/${name}`, detail: 'is not a date' };
  }
}

export const usageTriggersSection: FleetSection = {
  name: 'usageTriggers',
  tenant: 'account',
  entry: UsageTriggerEntry,
  check: (entry: UsageTriggerEntry) => [...problemsOf(entry)],

  prepare: (_ctx, { triggerId, smsPhoneNumbers, emailAddresses, ...entry }: UsageTriggerEntry) => ({
    ...entry,
    ...(triggerId !== undefined && { triggerId: triggerId.toLowerCase() }),
    ...(smsPhoneNumbers !== undefined && { smsPhoneNumbers: fromWireList(smsPhoneNumbers) }),
    ...(emailAddresses !== undefined && { emailAddresses: fromWireList(emailAddresses) }),
  }),

  async verify(ctx, staging) {
    await normaliseNames(ctx, 'usageTriggers', 'triggerName');
    await resolveNames(ctx.db);
    await reportDuplicates(ctx, staging, 'usageTriggers', {
      path: '/triggerId',
      key: sql`s.ecpd_id, coalesce(s.body->>'triggerId', s.position::text)`,
    });
    await reportDuplicates(ctx, staging, 'usageTriggers', {
      path: '/triggerName',
      key: sql`s.body->>'accountName', coalesce(s.body->>'triggerName', s.position::text), s.body ? 'triggerName'`,
    });
    const withTrigger = sql`staged_entry s
      left join usage_trigger t on t.ecpd_id = s.ecpd_id and t.trigger_id = (s.body->>'triggerId')::uuid`;
    for (const name of NEEDED) {
      await reportWhere(ctx, staging, 'usageTriggers', {
        path: `/${name}`,
        detail: 'is needed for a new trigger',
        from: withTrigger,
        condition: sql`t.trigger_id is null and not s.body ? ${name}`,
      });
    }
    await reportWhere(ctx, staging, 'usageTriggers', {
      path: '/accountName',
      detail: 'is not the account of the trigger; a trigger never moves to another account',
      from: withTrigger,
      condition: sql`t.account_name <> s.body->>'accountName'`,
    });
    await reportWhere(ctx, staging, 'usageTriggers', {
      path: '/serviceName',
      detail: 'is not the service that the trigger watches; a trigger never watches another',
      from: withTrigger,
      condition: sql`t.service_name <> s.body->>'serviceName'`,
    });
    for (const [flag, list, sends, numbers] of [
      ['sendSmsNotification', 'smsPhoneNumbers', sql`t.send_sms`, sql`t.sms_phone_numbers`],
      ['sendEmailNotification', 'emailAddresses', sql`t.send_email`, sql`t.email_addresses`],
    ] as const) {
      await reportWhere(ctx, staging, 'usageTriggers', {
        path: `/${list}`,
        detail: `is needed where ${flag} is true`,
        from: withTrigger,
        condition: sql`coalesce((s.body->>${flag})::boolean, ${sends}, false)
          and coalesce(jsonb_array_length(s.body->${list}), cardinality(${numbers}), 0) = 0`,
      });
    }
    await reportWhere(ctx, staging, 'usageTriggers', {
      path: '/triggerName',
      detail: `is one too many: an account has at most ${TRIGGERS_PER_ACCOUNT_MAX}`,
      from: sql`(
        select e.position, e.section, e.ecpd_id, e.body,
          row_number() over (partition by e.body->>'accountName' order by e.position) as nth_new
        from staged_entry e left join usage_trigger t on t.ecpd_id = e.ecpd_id and t.trigger_id = (e.body->>'triggerId')::uuid
        where e.section = 'usageTriggers' and t.trigger_id is null) s`,
      condition: sql`s.nth_new + (
        select count(*) from usage_trigger o where o.ecpd_id = s.ecpd_id and o.account_name = s.body->>'accountName')
        > ${TRIGGERS_PER_ACCOUNT_MAX}`,
    });
    await reportWhere(ctx, staging, 'usageTriggers', {
      path: '/triggerName',
      detail: 'is the name of another trigger of the account',
      condition: sql`exists (
        select from usage_trigger o where o.ecpd_id = s.ecpd_id and o.account_name = s.body->>'accountName'
          and o.trigger_name = s.body->>'triggerName' and o.trigger_id <> (s.body->>'triggerId')::uuid)`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('usageTriggers')) {
      const accountNames = await listImportedAccounts(ctx.db, ecpdId);
      await changeTriggersOf(ctx, ecpdId, accountNames, () => upsertTriggers(ctx.db, ecpdId, ctx.now()));
    }
  },

  export: async function* (db, filter) {
    for await (const trigger of inPages<UsageTrigger>((after) => exportTriggers(db, filter, after)))
      yield toWireTrigger(trigger);
  },
};
