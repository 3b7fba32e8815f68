-- What devices used, record by record, as the network reported it; written once and never changed. A record id exists once
-- in a profile: feeding a file again changes nothing. No foreign keys: a feed must not lock devices, and what was used
-- stays used when a device is deleted. Deleting an account deletes these by name.
create table usage_record (
  ecpd_id       text not null,
  record_id     text collate "C" not null,
  account_name  text not null,
  device_id     uuid not null,
  at            timestamptz not null,
  -- The day on which it occurred, in the zone that the account had when the record was taken.
  day           date not null,
  bytes         bigint not null check (bytes >= 0),
  apn           text,
  rating_group  text,
  country_code  text,
  charge_amount numeric,
  -- Set where the record is a use of that service, and not data.
  service_name  text,
  -- The plan that the device had when it occurred; null where that is not known.
  plan_code     text,
  -- The billing month in which it occurred had closed when the record was taken.
  delayed       boolean not null,
  taken_at      timestamptz not null,
  primary key (ecpd_id, record_id)
);
-- A day of an account, and within it a device: bills, re-counting and retention all go this way.
create index usage_record_day on usage_record (ecpd_id, account_name, day, device_id);

-- Bytes of a device on a plan, one row for a calendar month with one element for each day: weeks and billing months are
-- sums of elements of two rows at most, whatever the bill-cycle day is or becomes. Empty plan: not known.
create table usage_device_month (
  ecpd_id      text not null,
  account_name text not null,
  device_id    uuid not null,
  month        date not null,
  plan_code    text not null,
  day_bytes    bigint[] not null check (cardinality(day_bytes) = 31),
  primary key (ecpd_id, account_name, device_id, month, plan_code)
) with (fillfactor = 70);

-- Bytes of all devices of an account on a plan. Few rows, each touched by nearly every batch.
create table usage_account_day (
  ecpd_id      text not null,
  account_name text not null,
  day          date not null,
  plan_code    text not null,
  bytes        bigint not null,
  primary key (ecpd_id, account_name, day, plan_code)
) with (fillfactor = 50);

-- The first day of which the ledger still has every record; absent while nothing was removed.
create table usage_ledger_start (
  ecpd_id   text primary key,
  starts_on date not null
);
