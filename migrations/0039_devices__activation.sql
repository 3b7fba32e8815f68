-- What an activation tells of a line, and listings show. An address belongs to one line of a profile.
alter table device add column ip_address text, add column activated_at timestamptz, add column activated_by text,
  add check ((activated_at is null) = (activated_by is null));
update device d set ip_address = l.ip_address, activated_at = l.activated_at, activated_by = l.activated_by
from device_line l where l.ecpd_id = d.ecpd_id and l.device_id = d.device_id;
create unique index device_ip_address on device (ecpd_id, ip_address) where ip_address is not null;

-- Activations tell where devices are used, too: the table belongs to devices from now on.
create temporary table kept_place on commit drop as table device_place_of_use;
drop table device_place_of_use;
-- Where a device is used and by whom, as its activation or the last change of its plan told.
create table device_place_of_use (
  ecpd_id    text not null,
  device_id  uuid not null,
  place      jsonb not null,
  changed_at timestamptz not null,
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, device_id) references device on delete cascade
);
insert into device_place_of_use select * from kept_place;
