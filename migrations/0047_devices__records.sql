-- Records of devices are asked for by what their owners say of them, by any field and any path into one.
create index device_record on device using gin (record jsonb_path_ops);
-- And by what the service says of them; every such selection is answered from here before a row is read.
create index device_written on device (ecpd_id, account_name, last_updated, created_on, version, version_id);
create index device_node on device (ecpd_id, node_uuid) where node_uuid is not null;

-- Listings by kind, in the order in which devices were added; those of devices go by device_listing.
create index device_gateway on device (ecpd_id, account_name, list_number) where kind = 'gateway';
create index device_sensor on device (ecpd_id, account_name, list_number) where kind = 'sensor';

-- The sensors of a gateway. Ids are compared as text and so are written one way.
update device set record = jsonb_set(record, '{parentdeviceid}', to_jsonb(lower(record->>'parentdeviceid')))
where record->>'parentdeviceid' <> lower(record->>'parentdeviceid');
create index device_parent on device (ecpd_id, (record->>'parentdeviceid')) where record ? 'parentdeviceid';
