-- The ledger by months: what is too old goes as a table that is dropped, and not row by row. One statement after the other, as a
-- cluster needs it, which then has the new tables where the old one is.
do $$
declare
  is_sharded boolean := false;
  ends_on date;
begin
  if to_regclass('pg_dist_partition') is not null then
    execute $q$ select exists (select from pg_dist_partition where logicalrelid = 'usage_record'::regclass) $q$ into is_sharded;
  end if;
  if is_sharded then
    execute $q$ set local citus.multi_shard_modify_mode = 'sequential' $q$;
  end if;
  alter table usage_record rename to usage_record_before;
  alter table usage_record_before drop constraint usage_record_pkey;
  drop index usage_record_day;

  -- The ids of the records of a profile, each once, whatever day a repeat names. They are kept for as long as records are.
  create table usage_record_id (
    ecpd_id   text not null,
    record_id text collate "C" not null,
    day       date not null,
    -- The batch that brought it.
    batch_no  bigint not null,
    primary key (ecpd_id, record_id)
  );
  create index usage_record_id_day on usage_record_id (ecpd_id, day);

  -- What devices used, record by record, as the network reported it; written once, and only the plan ever changes. No foreign
  -- keys: a feed must not lock devices, and what was used stays used when a device is deleted. Deleting an account deletes
  -- these by name. The key is the way that bills, re-counting and replays go: a day of an account, and within it a device.
  create table usage_record (
    ecpd_id       text not null,
    record_id     text collate "C" not null,
    account_name  text not null,
    device_id     uuid not null,
    at            timestamptz not null,
    -- The day on which it occurred, in the zone that the account had when the record was taken.
    day           date not null,
    bytes         bigint not null constraint usage_record_bytes_check check (bytes >= 0),
    apn           text,
    rating_group  text,
    country_code  text,
    charge_amount numeric,
    -- Set where the record is a use of that service, and not data.
    service_name  text,
    -- The plan that the device had when it occurred; null where that is not known.
    plan_code     text,
    -- The billing month in which it occurred had closed when the record was taken.
    delayed       boolean not null,
    taken_at      timestamptz not null,
    -- The batch that counted it, and its place in that batch.
    batch_no      bigint not null,
    nth           smallint not null,
    primary key (ecpd_id, account_name, day, device_id, batch_no, nth)
  ) partition by range (day);
  -- Days of which there is no table of their own: all of them in a sandbox.
  create table usage_record_rest partition of usage_record default;
  if is_sharded then
    execute $q$ select create_distributed_table('usage_record_id', 'ecpd_id', colocate_with => 'usage_record_before') $q$;
    execute $q$ select create_distributed_table('usage_record', 'ecpd_id', colocate_with => 'usage_record_before') $q$;
  end if;

  if not exists (select 1 from usage_record_before) then
    drop table usage_record_before;
    return;
  end if;
  -- Records from before stay in their table, which takes the days up to the end of their last month.
  if exists (select 1 from usage_record_before where batch_no is null) then
    update usage_record_before b set batch_no = -n.no, nth = 0
    from (select ctid, row_number() over () as no from usage_record_before where batch_no is null) n
    where b.ctid = n.ctid;
  end if;
  alter table usage_record_before alter column batch_no set not null, alter column nth set not null;
  insert into usage_record_id (ecpd_id, record_id, day, batch_no)
  select ecpd_id, record_id, day, batch_no from usage_record_before;
  select date_trunc('month', max(day)) + interval '1 month' into ends_on from usage_record_before;
  execute format('alter table usage_record attach partition usage_record_before for values from (minvalue) to (%L)', ends_on);
end $$;
