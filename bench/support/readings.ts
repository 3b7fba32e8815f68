import pg from 'pg';
import type { Database } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { send } from './usage-feed.ts';
import { type BenchDevice, benchDevice, PROFILES } from './usage-fleet.ts';

export const BATCH = 5_000;

/** Every second rule is in JsonLogic. The limits differ, so some raise alerts and most do not. */
export const chainOf = (n: number): object => {
  const limit = 30 + (n % 20);
  return n % 2 === 0
    ? {
        when: {
          all: [
            { field: 't', operator: 'gt', value: limit },
            { not: { field: 'mode', operator: 'eq', value: 'off' } },
          ],
        },
        hysteresis: 2,
        coolDown: 'PT1H',
      }
    : {
        when: { and: [{ '>': [{ var: 't' }, limit] }, { '!=': [{ var: 'mode' }, 'off'] }] },
        for: 'PT10M',
        absent: 'PT6H',
      };
};

export interface BenchReading {
  readonly device: BenchDevice;
  readonly at: Date;
  readonly values: { readonly t: number; readonly humidity: number; readonly mode: string };
}

/** Devices in rotation, each a minute after its previous reading; one reading in a hundred exceeds some of the limits. */
export function benchReading(n: number, devices: number, from: Date): BenchReading {
  const turn = Math.floor(n / devices);
  return {
    device: benchDevice((n * 7_919) % devices),
    at: new Date(from.getTime() + turn * 60_000),
    values: { t: n % 100 === 0 ? 45 : 15 + (n % 13), humidity: n % 90, mode: 'auto' },
  };
}

/** One rule for each device. */
export async function fillRules(db: Database, rules: number): Promise<void> {
  const STEP = 5_000;
  for (let from = 0; from < rules; from += STEP) {
    const page = Array.from({ length: Math.min(STEP, rules - from) }, (_, i) => from + i);
    const devices = page.map(benchDevice);
    const records = page.map((n) =>
      JSON.stringify({ name: `rule ${n}`, rulesyntax: 'json', rulechain: chainOf(n) }),
    );
    await db.exec(sql`
      with written as (
        insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version, version_id)
        select r.e, r.a, gen_random_uuid(), r.d, r.r, gen_random_uuid(), '2026-01-01Z', '2026-01-01Z', 1, gen_random_uuid()
        from unnest(${devices.map((d) => d.ecpdId)}::text[], ${devices.map((d) => d.accountName)}::text[],
          ${devices.map((d) => d.deviceId)}::uuid[], ${records}::jsonb[]) r (e, a, d, r)
        returning ecpd_id, account_name, rule_id, device_id)
      insert into rule_change (ecpd_id, account_name, rule_id, device_id) select * from written`);
  }
  await db.exec(sql`vacuum analyze rule`);
}

const batchesOf = <T>(records: number, from: Date, devices: number, make: (page: BenchReading[]) => T): T[] =>
  Array.from({ length: Math.ceil(records / BATCH) }, (_, b) =>
    make(
      Array.from({ length: Math.min(BATCH, records - b * BATCH) }, (_, i) =>
        benchReading(b * BATCH + i, devices, from),
      ),
    ),
  );

/** Readings per second over HTTP, into the service as users start it. */
export async function readingsRate(
  url: string,
  records: number,
  devices: number,
  from: Date,
): Promise<number> {
  const parts = batchesOf(records, from, devices, (page) =>
    Buffer.from(
      page
        .map(
          ({ device, at, values }) =>
            `{"kind":"imei","device":"${device.imei}","at":"${at.toISOString()}","values":${JSON.stringify(values)}}\n`,
        )
        .join(''),
    ),
  );
  const before = performance.now();
  const accepted = await send(`${url}/operator/v1/readings`, parts);
  const seconds = (performance.now() - before) / 1_000;
  if (accepted !== records) throw new Error(`accepted ${accepted} of ${records}`);
  return records / seconds;
}

const WRITE = `insert into bare.device_reading (ecpd_id, device_id, at, known)
  select distinct on (device_id) $1, device_id, at, known
  from unnest($2::uuid[], $3::timestamptz[], $4::jsonb[]) as r (device_id, at, known) order by device_id, at desc
  on conflict (ecpd_id, device_id) do update set at = excluded.at, known = excluded.known`;

/** Bare SQL that stores the newest values of the same devices, without lookups, checks, comparisons or responses. */
export async function bareReadingsRate(
  databaseUrl: string,
  records: number,
  devices: number,
  from: Date,
): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('drop schema if exists bare cascade; create schema bare');
  await client.query('create table bare.device_reading (like public.device_reading including all)');
  const batches = batchesOf(records, from, devices, (page) =>
    Array.from({ length: PROFILES }, (_, p) => {
      const part = page.filter(({ device }) => device.ecpdId === `900000${p}`);
      return [
        `900000${p}`,
        part.map(({ device }) => device.deviceId),
        part.map(({ at }) => at.toISOString()),
        part.map(({ values }) => JSON.stringify(values)),
      ];
    }),
  ).flat();
  const before = performance.now();
  for (const values of batches) await client.query({ name: 'bare', text: WRITE, values });
  const seconds = (performance.now() - before) / 1_000;
  await client.end();
  return records / seconds;
}
