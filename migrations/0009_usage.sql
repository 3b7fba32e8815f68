create table subscription (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  sku_name     text not null,
  since        date not null,
  -- Null: the SKU says it, or nothing does.
  allowance    bigint check (allowance >= 0),
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- Uses of a metered service that are billed: one row for each, whatever is retried. No foreign keys: rows come by the
-- thousand, and stay when a device is deleted. Deleting an account deletes these by name.
create table service_transaction (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  -- The request that caused it; a device is billed once for each.
  request_ref  text not null,
  device_id    uuid not null,
  at           timestamptz not null,
  -- Who pays for a use is decided when it is recorded: the primary account that the account is activated with, or itself.
  -- So are the day where the account is and the month where the one who pays is: a zone that changes later moves nothing.
  billed_to    text not null,
  day          date not null,
  -- The day of a use where the one who pays is; it says the month too. A zone that has changed meanwhile moves no use into
  -- another month.
  billed_day   date not null,
  primary key (ecpd_id, account_name, service_name, request_ref, device_id)
);
create index service_transaction_at on service_transaction (at);
create index service_transaction_billed on service_transaction (ecpd_id, billed_to, service_name, billed_day);

-- The same, counted by calendar day in the account's zone: months and date ranges are sums of a few rows.
create table service_day (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  day          date not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, account_name, service_name, day)
);

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
  -- The batch that counted it, and its place in that batch.
  batch_no      bigint,
  nth           smallint,
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

-- Uses in a calendar month of the account's zone: its own, and those that are billed to it. Whoever records a use holds
-- this row until it commits, so that each sees what the others have added.
create table service_month (
  ecpd_id          text not null,
  account_name     text not null,
  service_name     text not null check (service_name in ('Location', 'fota')),
  month            text not null check (month ~ '^\d{4}-\d{2}$'),
  transactions     bigint not null check (transactions >= 0),
  -- `transactions` is what is billed to the account; its own uses, whoever pays, are counted here.
  own_transactions bigint not null check (own_transactions >= 0),
  primary key (ecpd_id, account_name, service_name, month)
) with (fillfactor = 50);

-- What an account is billed for in a month, by the account that used it.
create table service_month_line (
  ecpd_id      text not null,
  billed_to    text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  month        text not null check (month ~ '^\d{4}-\d{2}$'),
  account_name text not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, billed_to, service_name, month, account_name)
) with (fillfactor = 50);

create table service_limit (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- What an account used and was charged on a day, by everything that a bill tells apart: a month is a sum of these few rows
-- and not of the ledger's millions. Empty text: not known. The charge is that of records with one of their own
-- (charged_bytes); a plan's rate is applied to the rest when somebody asks. Kept when the ledger's records go.
create table usage_bill_day (
  ecpd_id       text not null,
  account_name  text not null,
  day           date not null,
  plan_code     text not null,
  apn           text not null,
  rating_group  text not null,
  country_code  text not null,
  delayed       boolean not null,
  bytes         bigint not null,
  charged_bytes bigint not null,
  charge_amount numeric not null,
  primary key (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed),
  check (charged_bytes between 0 and bytes)
) with (fillfactor = 50);

-- The order in which usage was counted: batches by their place, which each draws while it holds what it has added to, and the
-- records of a batch as they stood in the feed. `lines_seen` is the last change of lines (line_change) that was there by then.
create table usage_batch (
  ecpd_id    text not null,
  batch_no   bigint not null generated by default as identity,
  place      bigint not null generated always as identity,
  taken_at   timestamptz not null,
  lines_seen bigint not null,
  primary key (ecpd_id, batch_no)
);
create index usage_batch_taken on usage_batch (ecpd_id, taken_at, place);

-- What an account is billed for in a day of its zone, by the account that used it: date ranges are sums of days.
create table service_billed_day (
  ecpd_id      text not null,
  billed_to    text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  day          date not null,
  account_name text not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, billed_to, service_name, day, account_name)
) with (fillfactor = 50);

-- Lines that were put on a plan from a time in the past on, each move under the number of a batch: it has a place among the
-- batches of usage. A feed that has looked up the plans of lines learns by the last of an account whether they still hold.
create table usage_move (
  ecpd_id      text not null,
  account_name text not null,
  batch_no     bigint not null,
  device_id    uuid not null,
  since        timestamptz not null,
  moved_at     timestamptz not null,
  -- A line that has left its account: whoever looked its records up before looks them up again.
  has_left     boolean not null default false,
  primary key (ecpd_id, account_name, batch_no, device_id)
);
create index usage_move_at on usage_move (ecpd_id, moved_at);

-- The records that were moved, each with the plan that it left: how usage was counted at any time can be told from them. They go
-- with their records. Empty plan: not known.
create table usage_moved_record (
  ecpd_id      text not null,
  record_id    text collate "C" not null,
  batch_no     bigint not null,
  account_name text not null,
  device_id    uuid not null,
  day          date not null,
  bytes        bigint not null,
  from_plan    text not null,
  to_plan      text not null,
  moved_at     timestamptz not null,
  primary key (ecpd_id, record_id, batch_no)
);
create index usage_moved_record_day on usage_moved_record (ecpd_id, account_name, day);
