-- The newest calls of the API, for whoever looks for the reason of something. It is no system of record: what a killed process
-- has not written yet is lost. Profile '' has the calls of nobody: of operators, and of users with several profiles.
create table logged_call (
  ecpd_id      text not null,
  -- In the order in which calls have ended, by real time.
  call_id      uuid not null,
  account_name text,
  -- Domain time, when the call came.
  at           timestamptz not null,
  request_id   text not null,
  operation    text,
  method       text not null,
  path         text not null,
  -- Null where nothing was answered.
  status       smallint,
  duration_ms  real not null,
  caller_kind  text,
  caller       text,
  -- As text: they may be cut. Secrets are left out before they come here.
  request      text,
  answer       text,
  reason       jsonb,
  injected     jsonb,
  -- Whose positions the answer has: {"accuracy", "devices": {"<device id>": "<as the answer names it>"}}.
  located      jsonb,
  primary key (ecpd_id, call_id)
);
create index logged_call_newest on logged_call (call_id);
-- Each lives for a moment: to compress it would take longer than to write it.
alter table logged_call alter column request set storage external, alter column answer set storage external;

-- Accounts whose calls are logged where not all are. The times are real.
create table recorded_account (
  ecpd_id      text not null,
  account_name text not null,
  until        timestamptz not null,
  primary key (ecpd_id, account_name)
);
