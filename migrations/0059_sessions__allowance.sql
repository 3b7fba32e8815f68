-- How much of an allowance of logins is used up, for all processes together. A row past its time says nothing more.
create table login_allowance (
  key text primary key,
  full_at timestamptz not null
);
create index login_allowance_full on login_allowance (full_at);
