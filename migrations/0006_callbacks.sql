create table callback_listener (
  ecpd_id         text not null,
  account_name    text not null,
  service_name    text not null,
  -- Never set: the listener exists, and its messages fail at once.
  url             text,
  username_sealed text,
  password_sealed text,
  secret_sealed   text not null,
  paused          boolean not null default false,
  -- Registered through the older interface, which then alone may change it.
  legacy          boolean not null default false,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
