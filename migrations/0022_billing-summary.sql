-- A request for sums of usage that is answered by callbacks after it was accepted.
create table billing_request (
  ecpd_id      text not null,
  account_name text not null,
  request_id   uuid not null,
  -- What was asked for, as it was understood when it was accepted.
  asked        jsonb not null,
  created_at   timestamptz not null,
  ended_at     timestamptz,
  -- Whether anything that a request told was a failure: who asks how it ended is answered without reading its messages.
  failed       boolean not null default false,
  primary key (ecpd_id, account_name, request_id),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
-- For expiry, and for the number that may be under way at a time.
create index billing_request_ended on billing_request (ended_at) where ended_at is not null;
create index billing_request_open on billing_request (ecpd_id, account_name) where ended_at is null;
