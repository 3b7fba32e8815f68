-- Where each device was last known to be: the cache that requests are answered from. By accuracy, because whoever
-- consented to coarse location only must not be found by a precise one.
create table device_position (
  ecpd_id     text not null,
  device_id   uuid not null,
  accuracy    text not null check (accuracy in ('coarse', 'precise')),
  latitude    float8 not null check (latitude between -90 and 90),
  longitude   float8 not null check (longitude between -180 and 180),
  radius_m    float8 not null check (radius_m >= 0),
  at          timestamptz not null,
  primary key (ecpd_id, device_id, accuracy),
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- For retention.
create index device_position_at on device_position (at);

-- How the simulated network treats everybody: one row at most, and no tenant.
create table simulated_network (
  only_row  boolean primary key default true check (only_row),
  condition text not null check (condition in ('normal', 'refusing', 'unreachable'))
);
