-- An entry of the list excludes every device of the account that has its identifier now, and each device that it was made
-- for, whatever identifier that one has since. One entry may have been made for several devices, one after the other; what
-- it was made for goes with the device, the entry itself stays: a device that comes back under the identifier is excluded.
create table excluded_device (
  ecpd_id      text not null,
  account_name text not null,
  identifier   text not null,
  device_id    uuid not null,
  primary key (ecpd_id, account_name, identifier, device_id),
  foreign key (ecpd_id, account_name, identifier) references exclusion on delete cascade,
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- The foreign key looks devices up without their account.
create index excluded_device_device on excluded_device (ecpd_id, device_id);
insert into excluded_device (ecpd_id, account_name, identifier, device_id)
select e.ecpd_id, e.account_name, e.identifier, e.device_id
from exclusion e join device d on d.ecpd_id = e.ecpd_id and d.account_name = e.account_name and d.device_id = e.device_id;
alter table exclusion drop column device_id;
