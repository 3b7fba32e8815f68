-- Same as d386aacceac3b2edfd8858927068b64fc100e49f45b67fdbd2f53093871feccb, which no cluster could run.
-- A line as an account last had it, so that the account can still name and find it for the time when it was its own.
create table left_line (
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  left_at      timestamptz not null,
  -- An object of its identifiers by their kind.
  identifiers  jsonb not null,
  labels       jsonb not null,
  primary key (ecpd_id, account_name, device_id),
  foreign key (ecpd_id, account_name) references account (ecpd_id, account_name) on delete cascade
);
create index left_line_age on left_line (left_at);
create index left_line_labels on left_line using gin (labels jsonb_path_ops);

-- Lines that left before now: by their last identifiers there, and by their present labels if their profile still has them.
insert into left_line (ecpd_id, account_name, device_id, left_at, identifiers, labels)
select o.ecpd_id, o.account_name, o.device_id, max(o.to_at), jsonb_object_agg(o.kind, o.value), '[]'
from (
  select distinct on (ecpd_id, account_name, device_id, kind) * from earlier_owner
  order by ecpd_id, account_name, device_id, kind, to_at desc) o
join account a on a.ecpd_id = o.ecpd_id and a.account_name = o.account_name
group by o.ecpd_id, o.account_name, o.device_id;
delete from left_line l using device d
where d.ecpd_id = l.ecpd_id and d.device_id = l.device_id and d.account_name = l.account_name;
update left_line l set labels = d.labels from device d where d.ecpd_id = l.ecpd_id and d.device_id = l.device_id;
