import { IsDate } from 'typebox/format';
import { isMailAddress } from '../../kernel/mail-address.ts';
import { isPhoneNumber } from '../../kernel/phone-number.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { resolveIds } from '../../platform/fleet-document/verify-entries.ts';
import { changeTriggersOf } from './change-triggers.ts';
import { UsageTriggerEntry } from './schemas.ts';
import { COLUMNS } from './sql.ts';
import { listImportedAccounts, upsertTriggers } from './sql-merge.ts';
import { THRESHOLD_MAX_PERCENT, TRIGGERS_PER_ACCOUNT_MAX } from './usage-trigger.ts';
import { fromWireList, toWireTrigger } from './wire.ts';

const NEEDED = ['triggerName', 'serviceName', 'thresholdValue'] as const;

const withTrigger = (ecpdId: string) => sql`staged s
  left join usage_trigger t on t.ecpd_id = ${ecpdId} and t.trigger_id = (s.body->>'triggerId')::uuid`;
/** A flag, the list that it requires, and the trigger's columns for both. */
const CHANNELS = [
  ['sendSmsNotification', 'smsPhoneNumbers', sql`t.send_sms`, sql`t.sms_phone_numbers`],
  ['sendEmailNotification', 'emailAddresses', sql`t.send_email`, sql`t.email_addresses`],
] as const;

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
  isLast: true,
  entry: UsageTriggerEntry,
  check: (entry: UsageTriggerEntry) => [...problemsOf(entry)],

  /** Different Unicode forms of a name are the same name. */
  prepare: (
    _ctx,
    { triggerId, triggerName, smsPhoneNumbers, emailAddresses, ...entry }: UsageTriggerEntry,
  ) => ({
    ...entry,
    ...(triggerName !== undefined && { triggerName: triggerName.normalize('NFC') }),
    ...(triggerId !== undefined && { triggerId: triggerId.toLowerCase() }),
    ...(smsPhoneNumbers !== undefined && { smsPhoneNumbers: fromWireList(smsPhoneNumbers) }),
    ...(emailAddresses !== undefined && { emailAddresses: fromWireList(emailAddresses) }),
  }),

  verify: [
    resolveIds('usageTriggers', 'triggerId', {
      kept: sql`usage_trigger`,
      id: sql`t.trigger_id`,
      same: sql`t.account_name = s.body->>'accountName' and t.trigger_name = s.body->>'triggerName'`,
    }),
    { path: '/triggerId', unique: sql`s.ecpd_id, coalesce(s.body->>'triggerId', s.position::text)` },
    {
      path: '/triggerName',
      unique: sql`s.body->>'accountName', coalesce(s.body->>'triggerName', s.position::text), s.body ? 'triggerName'`,
    },
    ...NEEDED.map((name) => ({
      path: `/${name}`,
      detail: 'is needed for a new trigger',
      from: withTrigger,
      condition: sql`t.trigger_id is null and not s.body ? ${name}`,
    })),
    {
      path: '/accountName',
      detail: 'is not the account of the trigger; a trigger never moves to another account',
      from: withTrigger,
      condition: sql`t.account_name <> s.body->>'accountName'`,
    },
    {
      path: '/serviceName',
      detail: 'is not the service that the trigger watches; a trigger never watches another',
      from: withTrigger,
      condition: sql`t.service_name <> s.body->>'serviceName'`,
    },
    ...CHANNELS.map(([flag, list, sends, kept]) => ({
      path: `/${list}`,
      detail: `is needed where ${flag} is true`,
      from: withTrigger,
      condition: sql`coalesce((s.body->>${flag})::boolean, ${sends}, false)
        and coalesce(jsonb_array_length(s.body->${list}), cardinality(${kept}), 0) = 0`,
    })),
    {
      path: '/triggerName',
      detail: `is one too many: an account has at most ${TRIGGERS_PER_ACCOUNT_MAX}`,
      from: (ecpdId) => sql`(
        select s.position, s.body, row_number() over (partition by s.body->>'accountName' order by s.position) as nth_new
        from ${withTrigger(ecpdId)} where t.trigger_id is null) s`,
      condition: (ecpdId) => sql`s.nth_new + (
        select count(*) from usage_trigger o where o.ecpd_id = ${ecpdId} and o.account_name = s.body->>'accountName')
        > ${TRIGGERS_PER_ACCOUNT_MAX}`,
    },
    {
      path: '/triggerName',
      detail: 'is the name of another trigger of the account',
      condition: (ecpdId) => sql`exists (
        select 1 from usage_trigger o where o.ecpd_id = ${ecpdId} and o.account_name = s.body->>'accountName'
          and o.trigger_name = s.body->>'triggerName' and o.trigger_id <> (s.body->>'triggerId')::uuid)`,
    },
  ],

  async write(ctx, ecpdId) {
    const accountNames = await listImportedAccounts(ctx.db, ecpdId);
    await changeTriggersOf(ctx, ecpdId, accountNames, () => upsertTriggers(ctx, ecpdId, ctx.now()));
  },

  export: {
    select: COLUMNS,
    from: sql`usage_trigger t`,
    alias: 't',
    key: ['ecpd_id', 'trigger_id'],
    entryOf: toWireTrigger,
  },
};
