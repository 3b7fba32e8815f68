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
  primary key (ecpd_id, account_name, service_name, request_ref, device_id)
);
create index service_transaction_at on service_transaction (at);

-- The same, counted by calendar day in the account's zone: months and date ranges are sums of a few rows.
create table service_day (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  day          date not null,
  transactions bigint not null check (transactions >= 0),
  primary key (ecpd_id, account_name, service_name, day)
);

-- A service that is closed for an account until its calendar month ends.
create table service_closure (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  month        text not null check (month ~ '^\d{4}-\d{2}$'),
  closed_at    timestamptz not null,
  primary key (ecpd_id, account_name, service_name, month),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
