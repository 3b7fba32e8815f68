import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';

interface SeenEquipment {
  readonly deviceId: string;
  readonly accountName: string;
  readonly imeisv: string;
  readonly atMs: number;
}

/**
 * Stores the devices that lines were seen in. If the device has changed and differs from the line's record, an entry in
 * the audit log says so; people decide what to do about it.
 */
export const noteEquipment = (ctx: Ctx, ecpdId: string, seen: readonly SeenEquipment[]): Promise<number> =>
  writeAudited(
    ctx,
    ecpdId,
    'noticeOtherDevice',
    () => sql`
    noted as (
      insert into line_equipment as e (ecpd_id, device_id, account_name, imeisv, seen_at)
      select p.ecpd_id, i.device_id, i.account_name, i.imeisv, i.at from profile p cross join unnest(
        ${plainArray(seen.map(({ deviceId }) => deviceId))}::uuid[], ${arrayText(seen.map(({ accountName }) => accountName))}::text[],
        ${arrayText(seen.map(({ imeisv }) => imeisv))}::text[],
        ${plainArray(seen.map(({ atMs }) => new Date(atMs)))}::timestamptz[]) as i (device_id, account_name, imeisv, at)
      where p.ecpd_id = ${ecpdId} order by i.device_id
      on conflict (ecpd_id, device_id) do update
        set account_name = excluded.account_name, imeisv = excluded.imeisv, seen_at = excluded.seen_at
        where left(e.imeisv, 14) <> left(excluded.imeisv, 14) and e.seen_at <= excluded.seen_at
      returning device_id, account_name, imeisv)`,
    sql`select n.device_id::text as target, n.account_name, jsonb_build_object('imei', d.imei) as before,
        jsonb_build_object('imeisv', n.imeisv) as after
      from noted n join device d on d.ecpd_id = ${ecpdId} and d.device_id = n.device_id
      where left(d.imei, 14) <> left(n.imeisv, 14)`,
  );
