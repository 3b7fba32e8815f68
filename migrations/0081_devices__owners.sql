-- Who had an identifier before: a record of usage counts for the owner at its time. Asked by identifier before any profile is known.
create table earlier_owner (
  kind         text not null,
  value        text not null,
  -- Null: from the beginning.
  from_at      timestamptz,
  to_at        timestamptz not null,
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  primary key (kind, value, to_at),
  check (from_at < to_at)
);
create index earlier_owner_of_account on earlier_owner (ecpd_id, account_name);
create index earlier_owner_of_line on earlier_owner (ecpd_id, device_id);
create index earlier_owner_age on earlier_owner (to_at);

-- Since when its owner has an identifier that somebody had before; read with the rest from the index alone.
alter table device_identifier add since timestamptz;
alter table device_identifier drop constraint device_identifier_pkey;
alter table device_identifier add constraint device_identifier_pkey primary key (kind, value)
  include (ecpd_id, account_name, device_id, since);

-- When a line came to its account from another one.
alter table device add came_at timestamptz;

alter table device_plan drop constraint device_plan_cause_check;
alter table device_plan add constraint device_plan_cause_check check (cause in ('import', 'activation', 'change', 'move'));
