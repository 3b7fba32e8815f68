-- Feeds look thousands of identifiers up at once, in a directory of millions: each is answered from the index alone.
alter table device_identifier
  drop constraint device_identifier_pkey,
  add primary key (kind, value) include (ecpd_id, account_name, device_id);
create index device_plan on device (ecpd_id, device_id) include (service_plan, plan_since);
