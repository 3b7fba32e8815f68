-- What network elements are told to do with lines. An order outlives its line: nothing refers to the device, and what the
-- element needs to know is in the row.
create table network_order (
  ecpd_id      text not null,
  -- Also the idempotency key: every try carries the same one.
  order_id     uuid not null,
  account_name text not null,
  device_id    uuid not null,
  element      text not null,
  imsi         text not null,
  -- Orders for a line to an element are carried out in this order.
  nr           bigint not null,
  msisdn       text,
  imei         text,
  iccid        text,
  wanted       text not null check (wanted in ('active', 'suspended', 'gone')),
  plan         text,
  -- request, resume: the line changes when all are confirmed. follow, repair: it has changed already. back: what waited has failed.
  cause        text not null check (cause in ('request', 'resume', 'follow', 'back', 'repair')),
  -- The request, or the suspension's own; null where nobody waits for it.
  change_id    uuid check ((change_id is not null) = (cause in ('request', 'resume'))),
  -- taken: the element confirms it later.
  state        text not null check (state in ('waiting', 'taken', 'done', 'refused', 'failed', 'replaced')),
  attempts     int not null default 0,
  reason       text,
  -- Real time; of the simulated network, domain time. So are the next ones.
  created_at   timestamptz not null,
  due_at       timestamptz check ((due_at is not null) = (state in ('waiting', 'taken'))),
  expires_at   timestamptz not null,
  closed_at    timestamptz check ((closed_at is null) = (state in ('waiting', 'taken'))),
  move_nr      int not null default 0,
  primary key (ecpd_id, order_id),
  unique (ecpd_id, element, imsi, nr),
  -- Ordering again what a request has ordered adds nothing.
  unique (ecpd_id, change_id, device_id, element)
);
create index network_order_due on network_order (ecpd_id, element, due_at, order_id) where closed_at is null;
-- What a line was last ordered to be, wherever that was.
create index network_order_of_line on network_order (ecpd_id, device_id);
-- An element that confirms an order knows nothing of profiles.
create index network_order_by_id on network_order (order_id);
create index network_order_closed on network_order (closed_at) where closed_at is not null;

-- Who may carry out a profile's orders to an element, by the database's real time.
create table network_lane (
  ecpd_id     text not null,
  element     text not null,
  lease_token uuid not null,
  leased_at   timestamptz not null default now(),
  lease_until timestamptz not null,
  primary key (ecpd_id, element)
);

-- A row for each element that was paused or has failed, for all processes. It belongs to nobody.
create table network_element (
  element       text not null primary key,
  paused_at     timestamptz,
  paused_by     text,
  -- Since when it does not answer, by the process that asked it last.
  silent_since  timestamptz,
  last_error    text,
  last_error_at timestamptz,
  check ((paused_at is null) = (paused_by is null)),
  check ((last_error is null) = (last_error_at is null))
);

-- What an element says of a line, where it is not what the line is here.
create table network_difference (
  ecpd_id      text not null,
  element      text not null,
  imsi         text not null,
  account_name text not null,
  device_id    uuid not null,
  here         text not null,
  there        text not null,
  since        timestamptz not null,
  primary key (ecpd_id, element, imsi)
);
create index network_difference_of_account on network_difference (ecpd_id, account_name);

-- How the simulated network treats orders for everybody.
create table simulated_orders (
  only_row boolean primary key default true check (only_row),
  delay_ms int not null,
  refusal  text,
  silent   boolean not null
);
