-- Lines that were put on a plan from a time in the past on, each move under the number of a batch: it has a place among the
-- batches of usage. A feed that has looked up the plans of lines learns by the last of an account whether they still hold.
create table usage_move (
  ecpd_id text not null,
  account_name text not null,
  batch_no bigint not null,
  device_id uuid not null,
  since timestamptz not null,
  moved_at timestamptz not null,
  primary key (ecpd_id, account_name, batch_no, device_id)
);
create index usage_move_at on usage_move (ecpd_id, moved_at);

-- The records that were moved, each with the plan that it left: how usage was counted at any time can be told from them. They go
-- with their records. Empty plan: not known.
create table usage_moved_record (
  ecpd_id text not null,
  record_id text collate "C" not null,
  batch_no bigint not null,
  account_name text not null,
  device_id uuid not null,
  day date not null,
  bytes bigint not null,
  from_plan text not null,
  to_plan text not null,
  moved_at timestamptz not null,
  primary key (ecpd_id, record_id, batch_no)
);
create index usage_moved_record_day on usage_moved_record (ecpd_id, account_name, day);
