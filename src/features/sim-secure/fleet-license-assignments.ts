import { DEVICE_ID_KINDS, DEVICE_ID_SHAPES, parseDeviceId } from '../../kernel/device-id.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { lockStagedLicenses } from './fleet-licenses.ts';
import { spellLikeInterface } from './license-skus.ts';
import { LicenseAssignmentEntry } from './schemas.ts';

/** Joins by the directory's key only: `verify` has checked the owner of the device. */
const withDevice = (entries: Query) => sql`${entries} s
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

  /** The letter case of the four SKUs does not matter. */
  prepare(_ctx, entry: LicenseAssignmentEntry) {
    const [kind] = given(entry);
    return {
      accountName: entry.accountName,
      skuNumber: spellLikeInterface(entry.skuNumber),
      ...parseDeviceId(kind!, entry[kind!]!),
    };
  },

  verify: [
    {
      path: AT_DEVICE,
      unique: sql`s.body->>'accountName', s.body->>'skuNumber', coalesce((
        select di.device_id::text from device_identifier di
        where di.kind = s.body->>'kind' and di.value = s.body->>'value'), s.body->>'value')`,
    },
    lockStagedLicenses('licenseAssignments'),
    {
      path: AT_DEVICE,
      detail: 'names no device of this account',
      condition: sql`s.body->>'accountName' is distinct from (
        select di.account_name from device_identifier di
        where di.kind = s.body->>'kind' and di.value = s.body->>'value')`,
    },
    {
      path: '/skuNumber',
      detail: 'names no licence of this account',
      condition: (ecpdId) => sql`not exists (
        select 1 from license l where l.ecpd_id = ${ecpdId} and l.account_name = s.body->>'accountName'
          and l.sku_number = s.body->>'skuNumber')`,
    },
    {
      path: '/skuNumber',
      detail: 'has no licence left: more would be assigned than were purchased',
      from: (ecpdId) => sql`(
        select s.position, l.purchased, coalesce(a.assigned, 0) as assigned,
          row_number() over (partition by l.ecpd_id, l.account_name, l.sku_number order by s.position) as wanted
        from ${withDevice(sql`staged`)}
        join license l on l.ecpd_id = ${ecpdId} and l.account_name = s.body->>'accountName'
          and l.sku_number = s.body->>'skuNumber'
        left join (select ecpd_id, account_name, sku_number, count(*) as assigned from license_assignment
                   where ecpd_id = ${ecpdId} group by ecpd_id, account_name, sku_number) a
          on a.ecpd_id = l.ecpd_id and a.account_name = l.account_name and a.sku_number = l.sku_number
        where not exists (
          select 1 from license_assignment x where x.ecpd_id = ${ecpdId} and x.account_name = l.account_name
            and x.sku_number = l.sku_number and x.device_id = di.device_id)) s`,
      condition: sql`s.assigned + s.wanted > s.purchased`,
    },
  ],

  write: ({ db, now }, ecpdId) =>
    db.exec(sql`
      insert into license_assignment (ecpd_id, account_name, sku_number, device_id, assigned_at)
      select s.ecpd_id, s.body->>'accountName', s.body->>'skuNumber', di.device_id, ${now()}
      from ${withDevice(sql`staged_entry`)}
      where s.section = 'licenseAssignments' and s.ecpd_id = ${ecpdId}
      on conflict do nothing`),

  export: {
    select: sql`x.account_name as "accountName", x.sku_number as "skuNumber", ${trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '))}`,
    from: sql`license_assignment x join device d on d.ecpd_id = x.ecpd_id and d.device_id = x.device_id`,
    key: ['ecpd_id', 'account_name', 'sku_number', 'device_id'],
    entryOf({ accountName, skuNumber, ...ids }: Record<string, string | null>) {
      const kind = DEVICE_ID_KINDS.find((known) => ids[known] !== null)!;
      return { accountName, skuNumber, [kind]: ids[kind] };
    },
  },
};
