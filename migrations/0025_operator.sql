-- Named keys of the operator API, so that the audit log says who did what. Keys are random: a plain hash suffices.
create table operator_key (
  name       text primary key,
  key_hash   text not null unique,
  scopes     text[] not null,
  created_at timestamptz not null,
  created_by text not null
);
