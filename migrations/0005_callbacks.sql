create table callback_listener (
  ecpd_id                text not null,
  account_name           text not null,
  service_name           text not null,
  -- Never set: the listener exists, and its messages fail at once.
  url                    text,
  username_sealed        text,
  password_sealed        text,
  secret_sealed          text not null,
  paused                 boolean not null default false,
  -- Registered through the older interface, which then alone may change it.
  legacy                 boolean not null default false,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  -- While a secret is being rotated, messages are signed with both.
  previous_secret_sealed text,
  previous_secret_until  timestamptz,
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

-- What is to be said, written once and never changed: the payload without credentials, count and signature.
-- No foreign key to the account: posting must not lock it. Deleting an account deletes these by name.
create table callback_message (
  ecpd_id           text not null,
  message_id        uuid not null,
  account_name      text not null,
  service_name      text not null,
  request_id        text not null,
  payload           text not null,
  created_at        timestamptz not null,
  -- A message about where a device is leaves only while its consent holds, at every attempt: whose, and for what.
  rests_on          jsonb,
  -- Which trace a message's delivery continues, as a W3C traceparent; null where nothing is traced.
  trace             text,
  -- Which request a message came of, by the id that its caller sent or was given; null for what the service does by itself.
  caller_request_id text check (length(caller_request_id) between 1 and 64),
  -- Messages to one listener that have it in common get their first attempts one after the other, as their ids sort.
  order_key         text,
  primary key (ecpd_id, message_id)
);
create index callback_message_request on callback_message (request_id, ecpd_id, account_name);
-- The log of an account or of one of its services, newest first: a quiet service is found beside a busy one.
create index callback_message_lane on callback_message (ecpd_id, account_name, service_name, created_at, message_id);
create index callback_message_created on callback_message (created_at, service_name);
create index callback_message_about on callback_message (ecpd_id, (rests_on->>'deviceId')) where rests_on is not null;

-- What waits to be sent: narrow rows, in the order in which a lane works them, gone when the work is done.
-- A message without a row here is delivered when an attempt was acknowledged, and failed otherwise.
create table callback_pending (
  ecpd_id       text not null,
  account_name  text not null,
  service_name  text not null,
  due_at        timestamptz not null,
  message_id    uuid not null,
  series        smallint not null,
  attempts_made smallint not null,
  move_nr       int not null default 0,
  primary key (ecpd_id, account_name, service_name, due_at, message_id)
);
create index callback_pending_message on callback_pending (ecpd_id, message_id);

-- Every attempt that was made, whatever came of it.
create table callback_attempt (
  ecpd_id    text not null,
  message_id uuid not null,
  series     smallint not null,
  attempt    smallint not null,
  at         timestamptz not null,
  status     smallint,
  latency_ms int not null,
  error      text,
  answer     text not null,
  primary key (ecpd_id, message_id, series, attempt)
);

-- Who may send on a lane, by the database's real time. One lane is one listener.
create table callback_lane (
  ecpd_id        text not null,
  account_name   text not null,
  service_name   text not null,
  lease_token    uuid not null,
  leased_at      timestamptz not null default now(),
  lease_until    timestamptz not null,
  -- Its holder has it from one that did not let it go.
  taken_over     boolean not null default false,
  -- What a lane knows of its listener: since when no attempt was acknowledged, and what came of the last one.
  -- Null while the last attempt was acknowledged, so that healthy lanes are not written for it.
  failing_since  timestamptz,
  last_failed_at timestamptz,
  last_failure   text,
  primary key (ecpd_id, account_name, service_name)
);
create index callback_lane_failing on callback_lane (ecpd_id, account_name, service_name) where failing_since is not null;

-- Failed messages, to be listed and re-sent without a look at all that was delivered. A re-send takes the row away.
create table callback_failed (
  ecpd_id      text not null,
  message_id   uuid not null,
  account_name text not null,
  service_name text not null,
  created_at   timestamptz not null,
  primary key (ecpd_id, message_id)
);
create index callback_failed_account on callback_failed (ecpd_id, account_name, created_at);
create index callback_failed_created on callback_failed (created_at);
