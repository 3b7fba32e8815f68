-- Lists of lines are sorted by what they show: by name, or an identifier where a line has none, by state and by plan. Each
-- order ends with the number of the line, so that a page begins where the one before has ended. Letters are compared by their
-- bytes, so that the same index finds names by how they begin.
drop index device_name;
create index device_name on device (ecpd_id, account_name,
  (lower(left(coalesce(record->>'name', imei, iccid, imsi, msisdn, mdn, min, meid, esn, eid, mac, deveui, ''), 64)) collate "C"),
  list_number) where kind <> 'sensor';
create index device_by_state on device (ecpd_id, account_name, state collate "C", list_number) where kind <> 'sensor';
create index device_by_plan on device (ecpd_id, account_name, (coalesce(service_plan, '') collate "C"), list_number)
  where kind <> 'sensor';
