import { DEVICE_ID_KINDS, DEVICE_ID_SHAPES, parseDeviceId } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates, reportWhere } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { spellLikeInterface } from './license-skus.ts';
import { lockStagedLicenses } from './lock-staged-licenses.ts';
import { LicenseAssignmentEntry } from './schemas.ts';

interface Exported {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly skuNumber: string;
  readonly deviceId: string;
  /** One that the device has. */
  readonly kind: string;
  readonly value: string;
}

/** Joined by the directory's key alone: whose device it is has been verified. */
const WITH_DEVICE = sql`staged_entry s
  join device_identifier di on di.kind = s.body->>'kind' and di.value = s.body->>'value'`;
const AT_DEVICE = sql`'/' || (s.body->>'kind')`;

const given = (entry: LicenseAssignmentEntry) => DEVICE_ID_KINDS.filter((kind) => entry[kind] !== undefined);

export const licenseAssignmentsSection: FleetSection = {
  name: 'licenseAssignments',
  tenant: 'account',
  entry: LicenseAssignmentEntry,

  check(entry: LicenseAssignmentEntry) {
    const [kind, ...others] = given(entry);
    if (kind === undefined || others.length > 0)
      return [{ path: '', detail: 'needs one identifier of a device' }];
    return parseDeviceId(kind, entry[kind]!) === undefined
      ? [{ path: `/${kind}`, detail: `must be ${DEVICE_ID_SHAPES[kind]}` }]
      : [];
  },

  /** Each of the four SKUs is one, in whatever letter case it is written. */
  prepare(_ctx, entry: LicenseAssignmentEntry) {
    const [kind] = given(entry);
    return {
      accountName: entry.accountName,
      skuNumber: spellLikeInterface(entry.skuNumber),
      ...parseDeviceId(kind!, entry[kind!]!),
    };
  },

  async verify(ctx, staging) {
    const key = sql`s.body->>'accountName', s.body->>'skuNumber', coalesce((
      select di.device_id::text from device_identifier di
      where di.kind = s.body->>'kind' and di.value = s.body->>'value'), s.body->>'value')`;
    await reportDuplicates(ctx, staging, 'licenseAssignments', { path: AT_DEVICE, key });
    await lockStagedLicenses(ctx, staging, 'licenseAssignments');
    await reportWhere(ctx, staging, 'licenseAssignments', {
      path: AT_DEVICE,
      detail: 'names no device of this account',
      condition: sql`s.body->>'accountName' is distinct from (
        select di.account_name from device_identifier di
        where di.kind = s.body->>'kind' and di.value = s.body->>'value')`,
    });
    await reportWhere(ctx, staging, 'licenseAssignments', {
      path: '/skuNumber',
      detail: 'names no licence of this account',
      condition: sql`not exists (
        select from license l where l.ecpd_id = s.ecpd_id and l.account_name = s.body->>'accountName'
          and l.sku_number = s.body->>'skuNumber')`,
    });
    await reportWhere(ctx, staging, 'licenseAssignments', {
      path: '/skuNumber',
      detail: 'has no licence left: more would be assigned than were purchased',
      from: sql`(
        select s.section, s.position, l.purchased, coalesce(a.assigned, 0) as assigned,
          row_number() over (partition by l.ecpd_id, l.account_name, l.sku_number order by s.position) as wanted
        from ${WITH_DEVICE}
        join license l on l.ecpd_id = s.ecpd_id and l.account_name = s.body->>'accountName'
          and l.sku_number = s.body->>'skuNumber'
        left join (select ecpd_id, account_name, sku_number, count(*) as assigned from license_assignment
                   group by ecpd_id, account_name, sku_number) a
          on a.ecpd_id = l.ecpd_id and a.account_name = l.account_name and a.sku_number = l.sku_number
        where s.section = 'licenseAssignments' and not exists (
          select from license_assignment x where x.ecpd_id = l.ecpd_id and x.account_name = l.account_name
            and x.sku_number = l.sku_number and x.device_id = di.device_id)) s`,
      condition: sql`s.assigned + s.wanted > s.purchased`,
    });
  },

  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('licenseAssignments')) {
      await ctx.db.exec(sql`
        insert into license_assignment (ecpd_id, account_name, sku_number, device_id, assigned_at)
        select s.ecpd_id, s.body->>'accountName', s.body->>'skuNumber', di.device_id, ${ctx.now()}
        from ${WITH_DEVICE}
        where s.section = 'licenseAssignments' and s.ecpd_id = ${ecpdId}
        on conflict do nothing`);
    }
  },

  export: async function* (db, { ecpdId, accountName }) {
    const rows = inPages<Exported>((after) =>
      db.many(sql`
        select x.ecpd_id as "ecpdId", x.account_name as "accountName", x.sku_number as "skuNumber",
          x.device_id as "deviceId", di.kind, di.value
        from license_assignment x
        cross join lateral (
          select kind, value from device_identifier
          where ecpd_id = x.ecpd_id and device_id = x.device_id
          order by array_position(${[...DEVICE_ID_KINDS]}::text[], kind) limit 1) di
        where (x.ecpd_id, x.account_name, x.sku_number, x.device_id) > (${after?.ecpdId ?? ''},
            ${after?.accountName ?? ''}, ${after?.skuNumber ?? ''}, ${after?.deviceId ?? NIL_UUID}::uuid)
          and ${accountName === undefined ? sql`true` : sql`x.ecpd_id = ${ecpdId} and x.account_name = ${accountName}`}
        order by x.ecpd_id, x.account_name, x.sku_number, x.device_id limit ${EXPORT_PAGE}`),
    );
    for await (const { accountName, skuNumber, kind, value } of rows)
      yield { accountName, skuNumber, [kind]: value };
  },
};
