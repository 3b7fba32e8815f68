-- Sessions of the console. No tenant data: a user's session spans profiles, an operator's all of them. No foreign key to
-- the user or the key: a session is checked against what they are at each call, and a reset of the domain keeps it.
create table console_session (
  token_hash        text primary key,
  -- Either a web-services user or the hash of an operator key.
  username          text,
  operator_key_hash text,
  -- What was proven at sign-in; a user whose password is another one has not proven it.
  password_proof    text,
  -- Real time, not the domain's: moving the clock must not sign anybody out.
  created_at        timestamptz not null,
  last_used_at      timestamptz not null,
  check ((username is null) <> (operator_key_hash is null)),
  check ((username is null) = (password_proof is null))
);
create index console_session_created on console_session (created_at);
