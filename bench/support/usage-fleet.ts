import type { Database } from '../../src/platform/db/db.ts';
import { sql, trusted } from '../../src/platform/db/sql.ts';

export const PROFILES = 2;
const ACCOUNTS_PER_PROFILE = 50;
export const PLAN = 'P-5MB';

export interface BenchDevice {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly deviceId: string;
  readonly imei: string;
}

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

/** Spread over the whole key space like random ids, but the same in every run. */
const deviceId = (n: number): string => {
  const mixed = (Math.imul(n + 1, 0x9e3779b1) >>> 0) * 0x10000;
  return `${hex(Math.floor(mixed / 0x10000), 8)}-${hex(n & 0xffff, 4)}-4000-8000-${hex(n, 12)}`;
};

export function benchDevice(n: number): BenchDevice {
  const profile = n % PROFILES;
  const account = Math.floor(n / PROFILES) % ACCOUNTS_PER_PROFILE;
  return {
    ecpdId: `900000${profile}`,
    accountName: `000000${profile}${String(account).padStart(3, '0')}-00001`,
    deviceId: deviceId(n),
    imei: String(990_000_000_000_000 + n),
  };
}

const STEP = 20_000;

/** Inserts directly into the tables: the import of a million devices is not part of the measurement. */
export async function fillFleet(db: Database, devices: number): Promise<void> {
  await db.exec(sql`truncate profile, plan, device_identifier, account_directory cascade`);
  await db.exec(sql`insert into plan (code, carrier_service_plan_code, name, kind, allowance_bytes, fixed_location, models,
      suspend_with_billing, throttle_at_percent)
    values (${PLAN}, ${PLAN}, '5 MB', 'payAsYouGo', 5242880, false, '{}', true, 100)`);
  for (let p = 0; p < PROFILES; p++) {
    await db.exec(sql`insert into profile (ecpd_id, foreign_id) values (${`900000${p}`}, gen_random_uuid())`);
    const names = Array.from(
      { length: ACCOUNTS_PER_PROFILE },
      (_, a) => benchDevice(a * PROFILES + p).accountName,
    );
    await db.exec(sql`
      insert into account_directory (ecpd_id, account_name) select ${`900000${p}`}, name from unnest(${names}::text[]) name`);
    await db.exec(sql`
      insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
        location_registered, created_at)
      select ${`900000${p}`}, name, 'America/Chicago', 10, false, false, false, '2026-01-01Z' from unnest(${names}::text[]) name`);
  }
  for (let from = 0; from < devices; from += STEP) {
    const page = Array.from({ length: Math.min(STEP, devices - from) }, (_, i) => benchDevice(from + i));
    const columns = [
      page.map((d) => d.ecpdId),
      page.map((d) => d.accountName),
      page.map((d) => d.deviceId),
      page.map((d) => d.imei),
    ];
    await db.exec(sql`
      insert into device (ecpd_id, account_name, device_id, imei, kind, state, service_plan, plan_since, iot,
        activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id)
      select d.*, 'device', 'active', ${PLAN}, '2025-01-01Z', true, false, true, '[]', '{"name": "a device of the bench"}', '{}',
        gen_random_uuid(), '2025-01-01Z', '2025-01-01Z', 1, gen_random_uuid()
      from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::uuid[], ${columns[3]}::text[]) d`);
    await db.exec(sql`
      insert into device_identifier (ecpd_id, account_name, device_id, kind, value)
      select d.e, d.a, d.i, 'imei', d.v
      from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::uuid[], ${columns[3]}::text[]) d (e, a, i, v)`);
  }
  await db.exec(sql`vacuum analyze device`);
  await db.exec(sql`vacuum analyze device_identifier`);
}

/** Creates a counter for every device in the month of the records. */
export async function fillMonth(db: Database, schema: string, devices: number): Promise<void> {
  await db.exec(sql`
    insert into ${trusted(schema)}.usage_device_month
    select ecpd_id, account_name, device_id, '2026-01-01', ${PLAN}, array_fill(1::bigint, array[31])
    from device order by imei limit ${devices}`);
  await db.exec(sql`vacuum analyze ${trusted(schema)}.usage_device_month`);
}
