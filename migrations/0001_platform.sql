-- What the sandbox clock is ahead of real time. One row; never written in production.
create table domain_clock (
  only_row        boolean primary key default true check (only_row),
  offset_ms       bigint not null,
  -- A move of the sandbox's clock outlasts a restart: where it goes, and the offset that it must not end below.
  -- While `frozen_at` is set, domain time stands there and the offset says nothing.
  frozen_at       timestamptz,
  moving_to       timestamptz,
  least_offset_ms bigint,
  move_nr         int not null default 0,
  check ((moving_to is null) = (least_offset_ms is null))
);

-- Processes that are up, by the database's own clock.
create table node (
  node_id    uuid primary key,
  role       text not null check (role in ('all', 'api', 'worker')),
  started_at timestamptz not null,
  seen_at    timestamptz not null
);

-- Work that is due at a domain time. Leases run on the database's real time.
create table job (
  ecpd_id      text not null,
  job_id       uuid not null,
  kind         text not null,
  key          text,
  payload      jsonb not null,
  state        text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  due_at       timestamptz not null,
  attempts     int not null default 0,
  attempts_max int not null,
  lease_token  uuid,
  lease_until  timestamptz,
  last_error   text,
  request_id   text not null,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  -- Which trace a job continues, as a W3C traceparent; null where nothing is traced.
  trace        text,
  -- The first move that waits for this: none before it does. In production always 0.
  move_nr      int not null default 0,
  primary key (ecpd_id, job_id),
  check ((state = 'running') = (lease_token is not null and lease_until is not null)),
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index job_waiting on job (due_at) where state = 'waiting';
create index job_running on job (lease_until) where state = 'running';
create index job_finished on job (finished_at) where state in ('done', 'failed');
-- A job with a key exists once until it has finished.
create unique index job_key on job (ecpd_id, kind, key) where state in ('waiting', 'running');
-- Workers take turns between profiles: they jump from one to the next here, past however many jobs one has.
create index job_turn on job (ecpd_id, due_at) where state = 'waiting';

-- Answers kept for requests that carried an Idempotency-Key.
create table idempotent_answer (
  caller     text not null,
  key        text not null,
  method     text not null,
  path       text not null,
  body_hash  text not null,
  status     int not null,
  headers    jsonb not null,
  body       text not null,
  expires_at timestamptz not null,
  primary key (caller, key, method, path)
);
create index idempotent_answer_expiry on idempotent_answer (expires_at);

-- Who did what, to what, when. Written before the act, completed after it; never updated otherwise.
create table audit_entry (
  entry_id     bigint generated always as identity,
  at           timestamptz not null,
  actor_kind   text not null check (actor_kind in ('operator', 'user', 'system')),
  actor        text not null,
  action       text not null,
  target       text,
  -- One of no customer's where it concerns none (`NOBODY`).
  ecpd_id      text not null default '',
  account_name text,
  request_id   text not null,
  status       int,
  before       jsonb,
  after        jsonb,
  primary key (ecpd_id, entry_id)
);
create index audit_entry_at on audit_entry (at);
create index audit_entry_account on audit_entry (account_name, entry_id) where account_name is not null;
-- What was done to one thing of an account.
create index audit_entry_target on audit_entry (account_name, target, entry_id)
  where account_name is not null and target is not null;
-- What one key or user did, and where one thing was done: the log has a line for each change of each device, so that neither can
-- be looked for line by line.
create index audit_entry_actor on audit_entry (actor, entry_id);
create index audit_entry_action on audit_entry (action, entry_id);
