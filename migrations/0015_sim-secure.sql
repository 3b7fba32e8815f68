create table license (
  ecpd_id      text not null,
  account_name text not null,
  sku_number   text not null,
  purchased    int not null check (purchased >= 0),
  primary key (ecpd_id, account_name, sku_number),
  foreign key (ecpd_id, account_name) references account on delete cascade
);

create table license_assignment (
  ecpd_id      text not null,
  account_name text not null,
  sku_number   text not null,
  device_id    uuid not null,
  assigned_at  timestamptz not null,
  primary key (ecpd_id, account_name, sku_number, device_id),
  foreign key (ecpd_id, account_name, sku_number) references license on delete cascade,
  foreign key (ecpd_id, device_id) references device on delete cascade
);
create index license_assignment_device on license_assignment (ecpd_id, device_id);
