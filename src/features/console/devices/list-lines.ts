import { DEVICE_ID_KINDS, type DeviceIdKind, toDeviceRefs } from '../../../kernel/device-id.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql, trusted } from '../../../platform/db/sql.ts';

type LineRow = Readonly<
  { deviceId: string; name: string | null; state: string } & { [K in DeviceIdKind]: string | null }
>;

const IDENTIFIERS = trusted(DEVICE_ID_KINDS.map((kind) => `d.${kind}`).join(', '));

/** The given devices that are lines of the account, in the order of their entry. */
export async function listLines(ctx: Ctx, { ecpdId, accountName }: Tenant, deviceIds: readonly string[]) {
  // A transaction has a connection of its own: there may be thousands of lines.
  const rows = await inTx(ctx, ({ db }) =>
    db.many<LineRow>(sql`
      select d.device_id as "deviceId", d.record->>'name' as name, d.state, ${IDENTIFIERS}
      from device d
      where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName} and d.kind <> 'sensor'
        and d.device_id = any(${plainArray(deviceIds)}::uuid[])
      order by d.list_number`),
  );
  return rows.map((row) => {
    const { deviceId, name, state } = row;
    return { deviceId, name, state, ids: toDeviceRefs(row) };
  });
}
