-- Devices are looked for by the beginning of their name, in any letter case; nobody types more of it than that.
create index device_name on device (ecpd_id, account_name, lower(left(record->>'name', 64)) text_pattern_ops)
  where kind <> 'sensor';
