-- Files of usage records that a process takes from a folder, and how far it is. The records name profiles; the file belongs to none.
create table usage_file (
  folder       text not null,
  name         text not null,
  -- A file of the same name that is larger or newer is another one.
  bytes        bigint not null,
  modified_at  timestamptz not null,
  content_hash text,
  state        text not null check (state in ('taking', 'done', 'failed')),
  reason       text check ((reason is not null) = (state = 'failed')),
  -- Lines up to this one are committed.
  lines        bigint not null default 0,
  accepted     bigint not null default 0,
  duplicates   bigint not null default 0,
  rejected     bigint not null default 0,
  -- So long is the file of rejected lines that belongs to them.
  reject_bytes bigint not null default 0,
  -- Real time, by the database.
  begun_at     timestamptz not null,
  ended_at     timestamptz check ((ended_at is not null) = (state <> 'taking')),
  lease_token  uuid not null,
  lease_until  timestamptz not null,
  primary key (folder, name, bytes, modified_at)
);
create index usage_file_newest on usage_file (folder, begun_at desc);
