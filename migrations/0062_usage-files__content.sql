-- A file of the same name, size and date may be another one: then anything about it has changed at another time.
alter table usage_file add column changed_at timestamptz;
-- How long the content is that the hash is of, and the hash of its beginning, by which the parts of a longer file are found.
alter table usage_file add column content_bytes bigint;
alter table usage_file add column head_hash text;
create index usage_file_head on usage_file (head_hash, begun_at desc) where head_hash is not null;
