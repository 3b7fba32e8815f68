-- A request for the locations of many devices that is worked on after it was answered.
create table location_request (
  ecpd_id      text not null,
  account_name text not null,
  txid         uuid not null,
  -- report: read page by page; callbacks: one message for each device.
  answered_by  text not null check (answered_by in ('report', 'callbacks')),
  accuracy     text not null check (accuracy in ('coarse', 'precise')),
  cache_mode   smallint not null check (cache_mode between 0 and 2),
  status       text not null check (status in ('QUEUED', 'INPROGRESS', 'COMPLETED', 'CANCELLED')),
  total_count  int not null check (total_count > 0),
  created_at   timestamptz not null,
  ended_at     timestamptz,
  -- What an entry shows depends on the consent that holds when it is shown; one that was not asked for want of consent is
  -- asked for when there is some, and so needs to know how old a cached position may be.
  max_age_ms   bigint check (max_age_ms >= 0),
  primary key (ecpd_id, account_name, txid),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((status in ('COMPLETED', 'CANCELLED')) = (ended_at is not null))
);
-- For expiry, and for the number that may be under way at a time.
create index location_request_ended on location_request (ended_at) where ended_at is not null;
create index location_request_open on location_request (ecpd_id, account_name) where ended_at is null;
-- Requests of an account, newest first.
create index location_request_listing on location_request (ecpd_id, account_name, answered_by, created_at desc, txid desc);

-- One row for each device of a request, in its order. No foreign keys: ten thousand rows are written at a time.
-- Entries are deleted with their request, by its expiry or with its account.
create table location_entry (
  ecpd_id           text not null,
  txid              uuid not null,
  nth               int not null,
  device_id         uuid not null,
  msid              text not null,
  -- absent: failed for now, and asked for again when the device can be reached.
  state             text not null,
  cached            boolean not null default false,
  latitude          float8,
  longitude         float8,
  radius_m          float8,
  located_at        timestamptz,
  error_type        text,
  error_info        text,
  error_at          timestamptz,
  -- The level denied it when the request was taken, whoever was excluded then: decides how a denial reads.
  denied_when_asked boolean not null default false,
  -- The last time it was not asked for, for want of consent.
  unasked           boolean not null default false,
  primary key (ecpd_id, txid, nth),
  check ((state = 'located') = (located_at is not null)),
  check ((state in ('failed', 'absent')) = (error_type is not null and error_at is not null)),
  -- withheld: never asked for, for want of consent.
  constraint location_entry_state_check check (state in ('waiting', 'located', 'failed', 'absent', 'withheld')),
  constraint location_entry_unasked_check check (case state when 'withheld' then unasked when 'absent' then true else not unasked end)
);
create index location_entry_waiting on location_entry (ecpd_id, txid, nth) where state = 'waiting';
-- Who waits for a device, and what has to go with it.
create index location_entry_device on location_entry (ecpd_id, device_id) where state in ('located', 'absent');
-- Who could not be reached for longest is asked for again first.
create index location_entry_asked on location_entry (error_at) where state = 'absent';
-- Who waits for the consent of which devices.
create index location_entry_unasked on location_entry (ecpd_id, device_id, txid) where unasked;
