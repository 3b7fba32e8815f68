-- Feeds that networks send by themselves. A row for each that was paused or has failed, for all processes; it belongs to nobody.
create table network_feed (
  feed          text not null primary key,
  paused_at     timestamptz,
  paused_by     text,
  last_error    text,
  last_error_at timestamptz,
  check ((paused_at is null) = (paused_by is null)),
  check ((last_error is null) = (last_error_at is null))
);

-- What each process last said of a feed that it takes.
create table network_feed_report (
  feed       text not null,
  reporter   uuid not null,
  -- What waits, and since when.
  backlog    bigint not null,
  oldest_at  timestamptz,
  -- Records in a second, over the last minute.
  rate       double precision not null,
  -- Since the process started.
  accepted   bigint not null,
  duplicates bigint not null,
  rejected   bigint not null,
  -- What it is busy with, in words.
  busy_with  text,
  noted_at   timestamptz not null,
  primary key (feed, reporter)
);
