create table device (
  ecpd_id          text not null,
  device_id        uuid not null,
  account_name     text not null,
  kind             text not null check (kind in ('device', 'gateway', 'sensor')),
  state            text not null check (state in ('pre-active', 'active', 'suspend', 'deactive')),
  service_plan     text references plan,
  plan_since       timestamptz,
  imei             text,
  iccid            text,
  imsi             text,
  msisdn           text,
  mdn              text,
  min              text,
  meid             text,
  esn              text,
  eid              text,
  mac              text,
  deveui           text,
  node_uuid        uuid,
  iot              boolean not null,
  activated_by_sku boolean not null,
  ota_updated      boolean not null,
  labels           jsonb not null,
  record           jsonb not null,
  simulation       jsonb not null,
  foreign_id       uuid not null,
  created_on       timestamptz not null,
  last_updated     timestamptz not null,
  version          bigint not null,
  version_id       uuid not null,
  -- Listings go on after the last device seen, which clients name by a number: the order in which devices were added.
  list_number      bigint generated always as identity,
  -- What an activation tells of a line, and listings show. An address belongs to one line of a profile.
  ip_address       text,
  activated_at     timestamptz,
  activated_by     text,
  -- When a line came to its account from another one.
  came_at          timestamptz,
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((service_plan is null) = (plan_since is null)),
  check ((activated_at is null) = (activated_by is null))
);
create index device_of_account on device (ecpd_id, account_name, device_id);
create index device_plan_now on device (ecpd_id, device_id) include (service_plan, plan_since);
-- Which devices carry a label, such as a vehicle's number.
create index device_labels on device using gin (labels jsonb_path_ops);
create index device_listing on device (ecpd_id, account_name, list_number) where kind <> 'sensor';
create unique index device_ip_address on device (ecpd_id, ip_address) where ip_address is not null;
-- How many active lines of an account are on a plan: what they may use together is asked for with every batch of usage.
create index device_active_line on device (ecpd_id, account_name, service_plan) where state = 'active';
-- Records of devices are asked for by what their owners say of them, by any field and any path into one.
create index device_record on device using gin (record jsonb_path_ops);
-- And by what the service says of them; every such selection is answered from here before a row is read.
create index device_written on device (ecpd_id, account_name, last_updated, created_on, version, version_id);
create index device_node on device (ecpd_id, node_uuid) where node_uuid is not null;
-- Listings by kind, in the order in which devices were added; those of devices go by device_listing.
create index device_gateway on device (ecpd_id, account_name, list_number) where kind = 'gateway';
create index device_sensor on device (ecpd_id, account_name, list_number) where kind = 'sensor';
create index device_parent on device (ecpd_id, (record->>'parentdeviceid')) where record ? 'parentdeviceid';
-- Devices are looked for by the beginning of their name, in any letter case; nobody types more of it than that.
create index device_name on device (ecpd_id, account_name, lower(left(record->>'name', 64)) text_pattern_ops)
  where kind <> 'sensor';
-- Lines grow old on their plan also while they are suspended. Beside the index of active lines: few lines are suspended.
create index device_suspended_line on device (ecpd_id, account_name, service_plan) where state = 'suspend';

-- The directory: an identifier exists once over all profiles. Keyed by value, it is the one table
-- that does not begin with the tenant, and so it carries no foreign key to one that does.
create table device_identifier (
  kind         text not null,
  value        text not null,
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  -- Since when its owner has an identifier that somebody had before; read with the rest from the index alone.
  since        timestamptz,
  primary key (kind, value)
  include (ecpd_id, account_name, device_id, since)
);
create index device_identifier_of_device on device_identifier (ecpd_id, device_id);
-- Listings by the beginning of an identifier; it serves those by account too.
create index device_identifier_begins on device_identifier (ecpd_id, account_name, kind, value text_pattern_ops);

-- Every plan that a device was put on, in the order in which it was told; nothing is changed or taken back. Since a
-- change may begin in the past, the plan at a moment is that of the last change whose `since` is not after it.
-- No foreign keys: an import writes a hundred thousand rows at a time. They are deleted together with their device.
create table device_plan (
  ecpd_id    text not null,
  device_id  uuid not null,
  change_id  bigint generated always as identity,
  since      timestamptz not null,
  plan_code  text not null,
  cause      text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (ecpd_id, device_id, change_id),
  constraint device_plan_cause_check check (cause in ('import', 'activation', 'change', 'move'))
);

-- Where a device is used and by whom, as its activation or the last change of its plan told.
create table device_place_of_use (
  ecpd_id    text not null,
  device_id  uuid not null,
  place      jsonb not null,
  changed_at timestamptz not null,
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, device_id) references device on delete cascade
);

-- Every change of a line's state or plan, in the order in which they were made: which lines were on a plan at a moment is what
-- is there now, without what has changed since. A line that came had no state before, and one that was deleted has none after.
create table line_change (
  ecpd_id      text not null,
  change_no    bigint not null generated always as identity,
  account_name text not null,
  device_id    uuid not null,
  at           timestamptz not null,
  was_state    text,
  was_plan     text,
  was_since    timestamptz,
  state        text,
  plan_code    text,
  primary key (ecpd_id, change_no)
);
create index line_change_of_line on line_change (ecpd_id, account_name, device_id, change_no);
create index line_change_at on line_change (ecpd_id, at, change_no);

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
