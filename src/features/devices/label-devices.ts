import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { sql } from '../../platform/db/sql.ts';
import { changeDevices } from './sql-record.ts';

/** The same limit as for a device of the fleet document. */
const LABELS_MAX = 50;
/** Devices changed by one statement. */
const CHUNK = 1_000;

interface Label {
  readonly name: string;
  /** Null removes the label. */
  readonly value: string | null;
}

/** Locks the account's devices that the label would change and that have room for it. */
const lockUnlabelled = async (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  { name, value }: Label,
): Promise<string[]> => {
  const has = sql`d.labels @> ${JSON.stringify([{ name }])}::jsonb`;
  const differs =
    value === null
      ? has
      : sql`not d.labels @> ${JSON.stringify([{ name, value }])}::jsonb
          and (${has} or jsonb_array_length(d.labels) < ${LABELS_MAX})`;
  const rows = await db.many<{ deviceId: string }>(sql`
    select d.device_id as "deviceId" from device d
    where d.ecpd_id = ${ecpdId} and d.account_name = ${accountName}
      and d.device_id = any(${plainArray(deviceIds)}::uuid[]) and ${differs}
    order by d.device_id for no key update`);
  return rows.map(({ deviceId }) => deviceId);
};

/**
 * Adds a label to devices, or removes it; a device has one value under each name. Returns how many were changed: not
 * those that have it already, have no room for it, or belong to another account.
 */
export const labelDevices = (
  outer: Ctx,
  tenant: Tenant,
  deviceIds: readonly string[],
  label: Label,
): Promise<number> =>
  inTx(outer, async (ctx) => {
    const { name, value } = label;
    const added = JSON.stringify(value === null ? [] : [{ name, value }]);
    const sorted = [...new Set(deviceIds.map((id) => id.toLowerCase()))].sort();
    let changed = 0;
    for (let from = 0; from < sorted.length; from += CHUNK) {
      const locked = await lockUnlabelled(ctx.db, tenant, sorted.slice(from, from + CHUNK), label);
      if (locked.length === 0) continue;
      changed += await changeDevices(ctx, tenant, {
        action: 'labelDevice',
        audited: { labels: 'labels' },
        from: sql`unnest(${plainArray(locked)}::uuid[]) as c (device_id)`,
        set: () => sql`labels = (
          select coalesce(jsonb_agg(own.label order by own.nth), '[]') from jsonb_array_elements(d.labels)
            with ordinality as own (label, nth)
          where own.label->>'name' <> ${name}) || ${added}::jsonb`,
      });
    }
    return changed;
  });
