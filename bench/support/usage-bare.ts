import pg from 'pg';
import { type BenchDevice, benchDevice, PLAN, PROFILES } from './usage-fleet.ts';

export const BATCH = 5_000;
export const DAY = '2026-01-15';
export const AT = '2026-01-15T12:00:00Z';

/** The record number n, the same for both sides. */
export function benchRecord(
  n: number,
  devices: number,
  run: string,
): { id: string; device: BenchDevice; bytes: number } {
  return {
    id: `${run}-${(Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16)}-${n}`,
    device: benchDevice((n * 7_919) % devices),
    bytes: 1_000 + (n % 5_000),
  };
}

const SLOT = Number(DAY.slice(8));

const INPUT = `unnest($2::text[], $3::text[], $4::uuid[], $5::bigint[]) with ordinality as i (record_id, account_name, device_id, bytes, nth)`;
const IDS = `insert into bare.usage_record_id (ecpd_id, record_id, day, batch_no)
  select $1, record_id, '${DAY}'::date, $6::bigint from ${INPUT}`;
const LEDGER = `insert into bare.usage_record (ecpd_id, record_id, account_name, device_id, at, day, bytes, apn, rating_group,
    country_code, charge_amount, plan_code, delayed, taken_at, batch_no, nth)
  select $1, record_id, account_name, device_id, '${AT}'::timestamptz, '${DAY}'::date, bytes, 'iot.apn', '100', 'USA', 0.12,
    '${PLAN}', false, '${AT}'::timestamptz, $6::bigint, nth
  from ${INPUT}`;
const DEVICES = `insert into bare.usage_device_month as c
  select $1, account_name, device_id, date_trunc('month', '${DAY}'::date)::date, '${PLAN}',
    array_fill(0::bigint, array[${SLOT - 1}]) || sum(bytes)::bigint || array_fill(0::bigint, array[${31 - SLOT}])
  from ${INPUT} group by account_name, device_id order by account_name, device_id
  on conflict (ecpd_id, account_name, device_id, month, plan_code)
  do update set day_bytes[${SLOT}] = c.day_bytes[${SLOT}] + excluded.day_bytes[${SLOT}]`;
const ACCOUNTS = `insert into bare.usage_account_day as c
  select $1, account_name, '${DAY}', '${PLAN}', sum(bytes) from ${INPUT} group by account_name order by account_name
  on conflict (ecpd_id, account_name, day, plan_code) do update set bytes = c.bytes + excluded.bytes`;

const BILLS = `insert into bare.usage_bill_day as c
  select $1, account_name, '${DAY}', '${PLAN}', 'iot.apn', '100', 'USA', false, sum(bytes), sum(bytes), 0.12 * count(*)
  from ${INPUT} group by account_name order by account_name
  on conflict (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed) do update set
    bytes = c.bytes + excluded.bytes, charged_bytes = c.charged_bytes + excluded.charged_bytes,
    charge_amount = c.charge_amount + excluded.charge_amount`;

/** The tables that a feed writes. */
export const FED_TABLES = [
  'usage_record_id',
  'usage_record',
  'usage_device_month',
  'usage_account_day',
  'usage_bill_day',
];

/** Creates the same tables, with the same keys, in a separate schema; there, the ledger is one table. */
export async function makeBareTables(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists bare cascade; create schema bare');
  for (const table of FED_TABLES)
    await client.query(`create table bare.${table} (like public.${table} including all)`);
}

const literal = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

/** Prepares everything except the SQL before the measurement. */
function prepareBatches(from: number, to: number, devices: number, run: string): string[][] {
  const batches: string[][] = [];
  for (let start = from; start < to; start += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, to - start) }, (_, i) =>
      benchRecord(start + i, devices, run),
    );
    for (let p = 0; p < PROFILES; p++) {
      const part = records
        .filter(({ device }) => device.ecpdId === `900000${p}`)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      if (part.length === 0) continue;
      batches.push([
        `900000${p}`,
        literal(part.map((r) => r.id)),
        literal(part.map((r) => r.device.accountName)),
        literal(part.map((r) => r.device.deviceId)),
        literal(part.map((r) => r.bytes)),
      ]);
    }
  }
  return batches;
}

/** Writes one profile's batch: profile, record ids, accounts, devices and bytes, all but the first as arrays; then `more`. */
export async function writeBare(
  client: pg.Client,
  values: readonly string[],
  batchNo: number,
  more: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const numbered = [...values, batchNo];
  await client.query('begin');
  await client.query({ name: 'ids', text: IDS, values: numbered });
  await client.query({ name: 'ledger', text: LEDGER, values: numbered });
  await client.query({ name: 'devices', text: DEVICES, values: [...values] });
  await client.query({ name: 'bills', text: BILLS, values: [...values] });
  await client.query({ name: 'accounts', text: ACCOUNTS, values: [...values] });
  await more();
  await client.query('commit');
}

/** Bare SQL on two connections: ledger, counters and commit, without lookups, checks or responses. */
export async function bareRate(url: string, records: number, devices: number, run: string): Promise<number> {
  const half = Math.ceil(records / 2 / BATCH) * BATCH;
  const work = [prepareBatches(0, half, devices, run), prepareBatches(half, records, devices, run)];
  const clients = work.map(() => new pg.Client(url));
  for (const client of clients) await client.connect();
  const before = performance.now();
  await Promise.all(
    work.map(async (batches, i) => {
      const client = clients[i]!;
      for (const [n, values] of batches.entries()) await writeBare(client, values, 2 * n + i);
    }),
  );
  const seconds = (performance.now() - before) / 1_000;
  for (const client of clients) await client.end();
  return records / seconds;
}

const SINGLE = `with known as (${IDS} on conflict do nothing), added as (${LEDGER}),
  counted as (${DEVICES}), billed as (${BILLS}) ${ACCOUNTS}`;

/** One transaction for each record, on the same number of connections as the service has. */
export async function singleRate(
  url: string,
  records: number,
  devices: number,
  run: string,
): Promise<number> {
  const clients = Array.from({ length: 10 }, () => new pg.Client(url));
  for (const client of clients) await client.connect();
  let next = 0;
  const before = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let n = next++; n < records; n = next++) {
        const { id, device, bytes } = benchRecord(n, devices, run);
        const values = [
          device.ecpdId,
          `{${id}}`,
          `{${device.accountName}}`,
          `{${device.deviceId}}`,
          `{${bytes}}`,
          n,
        ];
        await client.query({ name: 'single', text: SINGLE, values });
      }
    }),
  );
  const seconds = (performance.now() - before) / 1_000;
  for (const client of clients) await client.end();
  return records / seconds;
}
