-- While a secret is being rotated, messages are signed with both.
alter table callback_listener
  add column previous_secret_sealed text,
  add column previous_secret_until  timestamptz;

-- What is to be said, written once and never changed: the payload without credentials, count and signature.
-- No foreign key to the account: posting must not lock it. Deleting an account deletes these by name.
create table callback_message (
  ecpd_id      text not null,
  message_id   uuid not null,
  account_name text not null,
  service_name text not null,
  request_id   text not null,
  payload      text not null,
  created_at   timestamptz not null,
  primary key (ecpd_id, message_id)
);
create index callback_message_request on callback_message (ecpd_id, account_name, request_id);
create index callback_message_created on callback_message (created_at);

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
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null,
  lease_token  uuid not null,
  lease_until  timestamptz not null,
  primary key (ecpd_id, account_name, service_name)
);
