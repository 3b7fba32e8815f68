-- A request that changes up to ten thousand devices of an account after it was answered.
create table carrier_request (
  ecpd_id         text not null,
  account_name    text not null,
  request_id      uuid not null,
  operation       text not null,
  status          text not null check (status in ('Pending', 'Success', 'Failure')),
  device_count    int not null check (device_count between 1 and 10000),
  succeeded       int not null default 0 check (succeeded >= 0),
  failed          int not null default 0 check (failed >= 0),
  -- What was asked for, beside the devices: the operation reads it again when it works.
  body            jsonb not null,
  created_at      timestamptz not null,
  created_by      text not null,
  ended_at        timestamptz,
  -- Whose name `created_by` is: what a request changes is written down in it.
  created_by_kind text not null default 'user'
    check (created_by_kind in ('operator', 'user', 'system')),
  primary key (ecpd_id, request_id),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((status = 'Pending') = (ended_at is null)),
  check (succeeded + failed <= device_count),
  check (status = 'Pending' or succeeded + failed = device_count),
  check (status <> 'Success' or failed = 0)
);
-- For expiry, and for the number that may be under way at a time.
create index carrier_request_ended on carrier_request (ended_at) where ended_at is not null;
create index carrier_request_open on carrier_request (ecpd_id, account_name) where ended_at is null;

-- One row for each device of a request, in its order. No foreign keys: ten thousand rows are written at a time.
-- Rows are deleted with their request, by its expiry or with its account.
create table carrier_request_device (
  ecpd_id    text not null,
  request_id uuid not null,
  nth        int not null,
  -- Null: no device of the account has these identifiers.
  device_id  uuid,
  -- The identifiers by which the request named it, and by which its result does.
  ids        jsonb not null,
  state      text not null check (state in ('waiting', 'done', 'failed')),
  -- A row that waits may have one: what is wrong with it was seen when the request was taken.
  fault_code text,
  fault_text text,
  primary key (ecpd_id, request_id, nth),
  check ((fault_code is null) = (fault_text is null)),
  check (state = 'waiting' or (state = 'failed') = (fault_code is not null))
);
create index carrier_request_device_waiting on carrier_request_device (ecpd_id, request_id, nth) where state = 'waiting';
-- What was asked for of one device, for its history.
create index carrier_request_device_of on carrier_request_device (ecpd_id, device_id) where device_id is not null;
