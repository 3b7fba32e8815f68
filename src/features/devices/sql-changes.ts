import type { DeviceIdColumns, DeviceIdKind } from '../../kernel/device-id.ts';
import { NIL_UUID } from '../../kernel/uuid.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, sql, trusted } from '../../platform/db/sql.ts';
import type { ProvisioningChange } from '../callback-payloads/index.ts';
import type { DeviceState } from './device.ts';

/** The identifiers whose change is reported, and the name of each change. */
const CHANGED_IDS = {
  esn: 'Change ESN',
  meid: 'Change MEID',
  mdn: 'Change MDN',
  imei: 'Change IMEI',
  iccid: 'Change ICCID',
} as const satisfies Partial<Record<DeviceIdKind, ProvisioningChange>>;

const idChanges = joinSql(
  Object.entries(CHANGED_IDS).map(
    ([kind, change]) =>
      sql`case when s.body->>${trusted(`'${kind}'`)} <> coalesce(d.${trusted(kind)}, '') then ${trusted(`'${change}'`)} end`,
  ),
  ', ',
);

/**
 * Before the merge, stages what it will change in existing devices. Only differences are stored: a document that
 * changes nothing costs one join.
 */
export async function stageChanges(db: Db, ecpdIds: readonly string[]): Promise<void> {
  await db.exec(sql`
    create temporary table staged_change (ecpd_id text, account_name text, device_id uuid, old_state text, new_state text,
      changes text[]) on commit drop`);
  for (const ecpdId of ecpdIds)
    await db.exec(sql`
      insert into staged_change (ecpd_id, account_name, device_id, old_state, new_state, changes)
      select * from (
        select d.ecpd_id, d.account_name, d.device_id, d.state, coalesce(s.body->>'state', d.state),
          array_remove(array[${idChanges},
            case when s.body->>'servicePlan' <> coalesce(d.service_plan, '') then 'Change Service Plan' end], null) as changes
        from staged_device s
        join device d on d.ecpd_id = ${ecpdId} and d.device_id = s.device_id
        where s.ecpd_id = ${ecpdId}
      ) as differing (ecpd_id, account_name, device_id, old_state, new_state, changes)
      where old_state <> new_state or changes <> '{}'`);
  await db.exec(sql`create index on staged_change (ecpd_id, device_id)`);
  await db.exec(sql`analyze staged_change`);
}

/** The changes of an existing device: its states, and what else differs. */
export interface ProvisionedChange {
  readonly accountName: string;
  readonly deviceId: string;
  readonly oldState: DeviceState;
  readonly newState: DeviceState;
  readonly changes?: readonly ProvisioningChange[];
}

export const listStagedChanges = (
  db: Db,
  ecpdId: string,
  { after = NIL_UUID, limit }: { after: string | undefined; limit: number },
) =>
  db.many<ProvisionedChange>(sql`
    select account_name as "accountName", device_id as "deviceId", old_state as "oldState", new_state as "newState", changes
    from staged_change where ecpd_id = ${ecpdId} and device_id > ${after} order by device_id limit ${limit}`);

interface Provisioned extends DeviceIdColumns {
  readonly deviceId: string;
  readonly servicePlan: string | null;
  readonly state: DeviceState;
}

/** The present data of the devices. */
export const listProvisioned = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.many<Provisioned>(sql`
    select device_id as "deviceId", service_plan as "servicePlan", state, imei, iccid, imsi, msisdn, mdn, min, meid, esn, eid,
      mac, deveui
    from device where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[])`);
