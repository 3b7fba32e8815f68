create table notification_group (
  ecpd_id text not null references profile on delete cascade,
  name    text not null,
  emails  text[] not null,
  phones  text[] not null,
  primary key (ecpd_id, name),
  constraint notification_group_name_check check (name is nfc normalized)
);

-- What is to be said to people, written with the fact that causes it and never changed.
-- No foreign key to the account: posting must not lock it. Deleting an account deletes these by name.
create table notification (
  ecpd_id         text not null,
  -- Also the left part of the Message-ID: every attempt to send it carries the same one.
  notification_id uuid not null,
  account_name    text not null,
  channel         text not null check (channel in ('mail', 'sms')),
  -- One for each firing: posting it again adds nothing.
  dedupe_key      text not null,
  trigger_id      text,
  subject         text,
  body            text not null,
  created_at      timestamptz not null,
  -- Which trace a notification's delivery continues, as a W3C traceparent; null where nothing is traced.
  trace           text,
  primary key (ecpd_id, notification_id),
  unique (ecpd_id, channel, dedupe_key)
);
create index notification_newest on notification (channel, created_at, notification_id);
create index notification_account on notification (ecpd_id, account_name, channel, created_at, notification_id);
create index notification_trigger on notification (trigger_id, channel, created_at, notification_id)
  where trigger_id is not null;

create table notification_recipient (
  ecpd_id         text not null,
  notification_id uuid not null,
  position        smallint not null,
  channel         text not null,
  recipient       text not null,
  state           text not null check (state in ('waiting', 'sent', 'captured', 'failed')),
  attempts        smallint not null,
  posted_at       timestamptz not null,
  -- Domain time of the next attempt.
  due_at          timestamptz check ((due_at is not null) = (state = 'waiting')),
  -- Domain time of the last attempt, or of the refusal to make one.
  tried_at        timestamptz,
  -- Why the last attempt did not succeed.
  reason          text,
  move_nr         int not null default 0,
  primary key (ecpd_id, notification_id, position),
  foreign key (ecpd_id, notification_id) references notification on delete cascade
);
create index notification_recipient_due on notification_recipient (ecpd_id, channel, due_at, notification_id, position)
  where state = 'waiting';

-- Who may send a profile's mail or SMS, by the database's real time.
create table notification_lane (
  ecpd_id     text not null,
  channel     text not null,
  lease_token uuid not null,
  leased_at   timestamptz not null default now(),
  lease_until timestamptz not null,
  primary key (ecpd_id, channel)
);
