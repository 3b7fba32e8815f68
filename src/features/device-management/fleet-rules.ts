import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import {
  EXPORT_PAGE,
  type FleetSection,
  inPages,
  type Staging,
} from '../../platform/fleet-document/section.ts';
import { RULES_PER_DEVICE_MAX } from './limits.ts';
import { documentOf } from './querying/wire.ts';
import { checkRecord, prepareRecord } from './record-entry.ts';
import { RuleEntry } from './schemas.ts';
import {
  beyondLimit,
  keepDevicesOfRules,
  resolveImeis,
  resolveNames,
  upsertRules,
} from './sql-merge-rules.ts';

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly ruleId: string;
  readonly deviceImei: string | null;
  /** As text: numbers in it may have more digits than JavaScript's have. */
  readonly record: string;
}

const WITH_RULE = sql`staged_entry s
  left join rule r on r.ecpd_id = s.ecpd_id and r.rule_id = (s.body->>'id')::uuid`;

async function verifyDevices(ctx: Ctx, staging: Staging): Promise<void> {
  await reportWhere(ctx, staging, 'rules', {
    path: '/deviceImei',
    detail: 'names no device of this account',
    condition: sql`s.body ? 'deviceImei' and s.body->>'accountName' is distinct from (
      select di.account_name from device_identifier di where di.kind = 'imei' and di.value = s.body->>'deviceImei')`,
  });
  await reportWhere(ctx, staging, 'rules', {
    path: '/deviceid',
    detail: 'is not the device of deviceImei',
    from: sql`staged_entry s join device_identifier di on di.kind = 'imei' and di.value = s.body->>'deviceImei'`,
    condition: sql`di.device_id <> (s.body->>'deviceid')::uuid`,
  });
  await resolveImeis(ctx.db);
  await reportWhere(ctx, staging, 'rules', {
    path: '/deviceid',
    detail: 'names no device of this account',
    condition: sql`s.body ? 'deviceid' and not s.body ? 'deviceImei' and not exists (
      select from device d where d.ecpd_id = s.ecpd_id and d.device_id = (s.body->>'deviceid')::uuid
        and d.account_name = s.body->>'accountName')`,
  });
}

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

  async verify(ctx, staging) {
    await verifyDevices(ctx, staging);
    await reportWhere(ctx, staging, 'rules', {
      path: '/id',
      detail: 'is needed: several rules of the device have this name',
      condition: sql`not s.body ? 'id' and 1 < (
        select count(*) from rule r where r.ecpd_id = s.ecpd_id and r.device_id = (s.body->>'deviceid')::uuid
          and r.record->>'name' = s.body->'record'->>'name')`,
    });
    await resolveNames(ctx.db);
    await reportDuplicates(ctx, staging, 'rules', {
      path: '/id',
      key: sql`s.ecpd_id, coalesce(s.body->>'id', s.position::text)`,
    });
    await reportWhere(ctx, staging, 'rules', {
      path: '/name',
      detail: 'stands in the document twice for the device; give each its id to tell them apart',
      condition: sql`not s.body ? 'id' and s.position in (
        select same.position from (
          select o.position, row_number() over (
            partition by o.body->>'deviceid', o.body->'record'->>'name' order by o.body ? 'id' desc, o.position) as n
          from staged_entry o where o.section = 'rules') same
        where same.n > 1)`,
    });
    await reportWhere(ctx, staging, 'rules', {
      path: '/deviceImei',
      detail: 'is missing, and so is deviceid: a new rule needs one of them',
      from: WITH_RULE,
      condition: sql`r.rule_id is null and not s.body ? 'deviceid'`,
    });
    await reportWhere(ctx, staging, 'rules', {
      path: '/id',
      detail: 'is a rule of another account or device; a rule never moves',
      from: WITH_RULE,
      condition: sql`r.account_name <> s.body->>'accountName' or r.device_id <> (s.body->>'deviceid')::uuid`,
    });
    await keepDevicesOfRules(ctx.db, await staging.profilesOf('rules'));
    await reportWhere(ctx, staging, 'rules', {
      path: '/deviceid',
      detail: `is a device that would have more than ${RULES_PER_DEVICE_MAX} rules with this import`,
      condition: beyondLimit,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('rules')) await upsertRules(ctx, ecpdId);
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select r.ecpd_id as "ecpdId", r.account_name as "accountName", r.rule_id as "ruleId", d.imei as "deviceImei",
          (r.record || jsonb_build_object('id', r.rule_id, 'deviceid', r.device_id, 'foreignid', r.foreign_id,
            'createdon', r.created_on, 'lastupdated', r.last_updated, 'version', r.version::text,
            'versionid', r.version_id))::text as record
        from rule r join device d on d.ecpd_id = r.ecpd_id and d.device_id = r.device_id
        where (r.ecpd_id, r.rule_id) > (${after?.ecpdId ?? ''}, ${after?.ruleId ?? NIL_UUID}::uuid)
          and ${accountName === undefined ? sql`true` : sql`r.ecpd_id = ${ecpdId} and r.account_name = ${accountName}`}
        order by r.ecpd_id, r.rule_id limit ${EXPORT_PAGE}`),
    );
    for await (const { accountName: name, deviceImei, record } of rows)
      yield { accountName: name, deviceImei, ...documentOf({ record }) };
  },
};
