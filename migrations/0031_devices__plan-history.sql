-- Two things cannot have one name: the index is for those who want to know the plan of now.
alter index device_plan rename to device_plan_now;

-- Every plan that a device was put on, in the order in which it was told; nothing is changed or taken back. Since a
-- change may begin in the past, the plan at a moment is that of the last change whose `since` is not after it.
-- No foreign keys: an import writes a hundred thousand rows at a time. They are deleted together with their device.
create table device_plan (
  ecpd_id    text not null,
  device_id  uuid not null,
  change_id  bigint generated always as identity,
  since      timestamptz not null,
  plan_code  text not null,
  cause      text not null check (cause in ('import', 'activation', 'change')),
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (ecpd_id, device_id, change_id)
);
insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
select ecpd_id, device_id, plan_since, service_plan, 'import', plan_since, 'import' from device where service_plan is not null
order by ecpd_id, device_id;
