import type { ServiceScene } from './service-scene.ts';

/** Inserts devices as an activation leaves them; `first` keeps their identifiers distinct. */
export const fillAccount = ({ client }: ServiceScene, accountName: string, count: number, first: number) =>
  client.query(
    `insert into device (ecpd_id, device_id, account_name, kind, state, service_plan, plan_since, imei, iccid, mdn, iot,
       activated_by_sku, ota_updated, labels, record, simulation, foreign_id, created_on, last_updated, version, version_id,
       ip_address, activated_at, activated_by)
     select p.ecpd_id, gen_random_uuid(), $1, 'device', 'active', 'P-5MB', now(), (990000000000000 + n)::text,
       (89148000000000000000 + n)::text, (5210000000 + n)::text, true, false, true, '[]', '{}', '{}', p.foreign_id, now(),
       now(), 1, gen_random_uuid(), host('10.0.0.0'::inet + n), now(), 'ws-user'
     from profile p, generate_series($2::bigint, $2::bigint + $3 - 1) n where p.ecpd_id = '9000001'`,
    [accountName, first, count],
  );
