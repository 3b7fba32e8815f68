import type { ServiceScene } from './service-scene.ts';

/** The nth device that `fillRecords` makes. */
export const imeiOf = (n: number): string => String(990000000000000 + n);

/** Inserts devices with a record like those that owners write; `first` keeps their identifiers distinct. */
export async function fillRecords(
  { client }: ServiceScene,
  accountName: string,
  count: number,
  first: number,
): Promise<void> {
  await client.query(
    `insert into device (ecpd_id, device_id, account_name, kind, state, imei, iccid, iot, activated_by_sku, ota_updated, labels,
       record, simulation, foreign_id, created_on, last_updated, version, version_id)
     select p.ecpd_id, gen_random_uuid(), $1, 'device', 'active', (990000000000000 + n)::text,
       (89148000000000000000 + n)::text, true, false, true, '[]',
       jsonb_build_object('name', 'tracker ' || n, 'serial', 'S-' || n, 'manufacturer', 'Acme',
         'customdata', jsonb_build_object('site', n % 1000)),
       '{}', p.foreign_id, now(), now(), 1, gen_random_uuid()
     from profile p, generate_series($2::bigint, $2::bigint + $3 - 1) n where p.ecpd_id = '9000001'`,
    [accountName, first, count],
  );
  await client.query(
    `insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
     select k.kind, k.value, d.ecpd_id, d.account_name, d.device_id from device d
     cross join lateral (values ('imei', d.imei), ('iccid', d.iccid)) k (kind, value)
     where d.account_name = $1 and d.imei between (990000000000000 + $2)::text and (990000000000000 + $2 + $3 - 1)::text`,
    [accountName, first, count],
  );
  await client.query('vacuum analyze device');
  await client.query('vacuum analyze device_identifier');
}
