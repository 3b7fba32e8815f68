-- A part of a file may come after the whole: a number for each of its lines tells whether another content begins with
-- the same ones. 8 bytes for each line, in pieces.
create table usage_file_mark (
  folder       text not null,
  name         text not null,
  bytes        bigint not null,
  modified_at  timestamptz not null,
  first_line   bigint not null,
  marks        bytea not null,
  primary key (folder, name, bytes, modified_at, first_line),
  foreign key (folder, name, bytes, modified_at) references usage_file on delete cascade
);
-- Numbers do not compress, and uncompressed ones can be read from the middle.
alter table usage_file_mark alter column marks set storage external;
-- Of a content that is part of one taken before: whose ids its first lines have, and how many these are.
alter table usage_file add column within_hash text;
alter table usage_file add column within_lines bigint;
