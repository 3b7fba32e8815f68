-- How far a check of lines is: a row for each account that it is about.
create table network_check (
  ecpd_id      text not null,
  -- The job that was asked for.
  check_id     uuid not null,
  account_name text not null,
  repair       boolean not null,
  -- All lines of the account when it began, and those that were looked at.
  lines        int not null check (lines >= 0),
  checked      int not null default 0 check (checked >= 0),
  -- Lines that an element has otherwise, and lines of which it did not say how it has them.
  differences  int not null default 0 check (differences >= 0),
  unanswered   int not null default 0 check (unanswered >= 0),
  created_at   timestamptz not null,
  ended_at     timestamptz,
  -- Nobody could look at them.
  failed       boolean not null default false check (not failed or ended_at is not null),
  primary key (ecpd_id, check_id, account_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
-- Whoever asks how far it is knows nothing of profiles.
create index network_check_by_id on network_check (check_id);
create index network_check_created on network_check (created_at);
