-- Applications. A rotated secret stays valid beside the new one for a while.
create table client (
  client_id             text primary key,
  secret_hash           text,
  previous_secret_hash  text,
  previous_secret_until timestamptz,
  disabled_at           timestamptz,
  created_at            timestamptz not null
);

-- The bearer token is derived from key, client, nonce and time; only its hash is kept.
create table client_token (
  token_hash text primary key,
  client_id  text not null references client on delete cascade,
  key_id     text not null,
  nonce      text not null,
  issued_at  timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index client_token_of_client on client_token (client_id, expires_at);
create index client_token_expiry on client_token (expires_at);

-- Web-services users.
create table ws_user (
  username      text primary key,
  password_hash text,
  disabled_at   timestamptz,
  created_at    timestamptz not null
);

-- Position 0 is the home account.
create table user_account (
  username     text not null references ws_user on delete cascade,
  account_name text not null,
  ecpd_id      text not null,
  position     int not null,
  primary key (username, account_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index user_account_of_account on user_account (ecpd_id, account_name);

create table session (
  token_hash   text primary key,
  username     text not null references ws_user on delete cascade,
  client_id    text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  ended_at     timestamptz
);
create index session_of_user on session (username) where ended_at is null;
create index session_last_used on session (last_used_at);

-- Kept for any name that was tried, known or not: an answer never tells which names exist.
create table login_failure (
  username     text not null,
  failures     int not null,
  failed_at    timestamptz not null,
  locked_until timestamptz,
  -- The interface asks for an application's token before it lets anybody try a password; the console asks for nothing. Were
  -- they counted together, any stranger could lock a customer's login of the interface from the page of the console.
  place        text not null check (place in ('api', 'console')),
  primary key (username, place)
);
create index login_failure_at on login_failure (failed_at);
