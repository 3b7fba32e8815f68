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
  -- When a position came to be known, which may be long after it was taken: what is new to those who look at a map.
  received_at timestamptz not null,
  primary key (ecpd_id, device_id, accuracy),
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- For retention.
create index device_position_at on device_position (at);
-- Every position has a coarse form, so that one row speaks for a device. `like` and not `=`, so that only who asks for news is
-- offered this index: before the table is analyzed the planner takes it for as good as the key, and reads all positions of a
-- profile to find those of some devices.
create index device_position_received on device_position (ecpd_id, received_at) where accuracy like 'coarse';

-- How the simulated network treats everybody: one row at most, and no tenant.
create table simulated_network (
  only_row  boolean primary key default true check (only_row),
  condition text not null check (condition in ('normal', 'refusing', 'unreachable'))
);

-- How often positions of an account were written: a number that is another one when there is news, and is found without
-- looking at positions. It refers to no account, because whoever writes positions holds devices already, and accounts
-- come before devices.
create table position_news (
  ecpd_id      text not null,
  account_name text not null,
  times        bigint not null,
  primary key (ecpd_id, account_name)
);
