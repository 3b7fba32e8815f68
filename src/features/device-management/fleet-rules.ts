import { sql } from '../../platform/db/sql.ts';
import type { FleetSection, OfProfile, Step } from '../../platform/fleet-document/section.ts';
import { resolveIds } from '../../platform/fleet-document/verify-entries.ts';
import { RULES_PER_DEVICE_MAX } from './limits.ts';
import { checkRecord, prepareRecord, toEntry } from './record-entry.ts';
import { RuleEntry } from './schemas.ts';
import { beyondLimit, keepDevicesOfRules, resolveImeis, upsertRules } from './sql-merge.ts';

const WITH_RULE: OfProfile = (ecpdId) => sql`staged s
  left join rule r on r.ecpd_id = ${ecpdId} and r.rule_id = (s.body->>'id')::uuid`;
const SAME_NAME = sql`t.device_id = (s.body->>'deviceid')::uuid and t.record->>'name' = s.body->'record'->>'name'`;

const DEVICE_STEPS: readonly Step[] = [
  {
    path: '/deviceImei',
    detail: 'names no device of this account',
    condition: sql`s.body ? 'deviceImei' and s.body->>'accountName' is distinct from (
      select di.account_name from device_identifier di where di.kind = 'imei' and di.value = s.body->>'deviceImei')`,
  },
  {
    path: '/deviceid',
    detail: 'is not the device of deviceImei',
    from: sql`staged s join device_identifier di on di.kind = 'imei' and di.value = s.body->>'deviceImei'`,
    condition: sql`di.device_id <> (s.body->>'deviceid')::uuid`,
  },
  resolveImeis,
  {
    path: '/deviceid',
    detail: 'names no device of this account',
    condition: (ecpdId) => sql`s.body ? 'deviceid' and not s.body ? 'deviceImei' and not exists (
      select 1 from device d where d.ecpd_id = ${ecpdId} and d.device_id = (s.body->>'deviceid')::uuid
        and d.account_name = s.body->>'accountName')`,
  },
];

export const rulesSection: FleetSection = {
  name: 'rules',
  tenant: 'account',
  entry: RuleEntry,
  documents: ['rulechain'],
  check: (entry: RuleEntry) => [
    ...checkRecord(entry),
    ...((entry.id ?? entry.name) === undefined
      ? [{ path: '/name', detail: 'is missing, and so is id: one of them is needed' }]
      : []),
  ],
  prepare: (_ctx, entry: RuleEntry) => prepareRecord(entry),

  verify: [
    ...DEVICE_STEPS,
    {
      path: '/id',
      detail: 'is needed: several rules of the device have this name',
      condition: (ecpdId) => sql`not s.body ? 'id' and 1 < (
        select count(*) from rule t where t.ecpd_id = ${ecpdId} and ${SAME_NAME})`,
    },
    resolveIds('rules', 'id', { kept: sql`rule`, id: sql`t.rule_id`, same: SAME_NAME }),
    { path: '/id', unique: sql`s.ecpd_id, coalesce(s.body->>'id', s.position::text)` },
    {
      path: '/name',
      detail: 'stands in the document twice for the device; give each its id to distinguish them',
      condition: sql`not s.body ? 'id' and s.position in (
        select same.position from (
          select o.position, row_number() over (
            partition by o.body->>'deviceid', o.body->'record'->>'name' order by o.body ? 'id' desc, o.position) as n
          from staged_entry o where o.section = 'rules') same
        where same.n > 1)`,
    },
    {
      path: '/deviceImei',
      detail: 'is missing, and so is deviceid: a new rule needs one of them',
      from: WITH_RULE,
      condition: sql`r.rule_id is null and not s.body ? 'deviceid'`,
    },
    {
      path: '/id',
      detail: 'is a rule of another account or device; a rule never moves',
      from: WITH_RULE,
      condition: sql`r.account_name <> s.body->>'accountName' or r.device_id <> (s.body->>'deviceid')::uuid`,
    },
    keepDevicesOfRules,
    {
      path: '/deviceid',
      detail: `is a device that would have more than ${RULES_PER_DEVICE_MAX} rules with this import`,
      condition: beyondLimit,
    },
  ],
  write: upsertRules,
  export: {
    select: sql`x.account_name as "accountName", d.imei as "deviceImei",
      (x.record || jsonb_build_object('id', x.rule_id, 'deviceid', x.device_id, 'foreignid', x.foreign_id,
        'createdon', x.created_on, 'lastupdated', x.last_updated, 'version', x.version::text,
        'versionid', x.version_id))::text as record`,
    from: sql`rule x join device d on d.ecpd_id = x.ecpd_id and d.device_id = x.device_id`,
    key: ['ecpd_id', 'rule_id'],
    entryOf: toEntry,
  },
};
