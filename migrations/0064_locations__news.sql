-- When a position came to be known, which may be long after it was taken: what is new to those who look at a map.
alter table device_position add column received_at timestamptz;
update device_position set received_at = at;
alter table device_position alter column received_at set not null;
-- Every position has a coarse form, so that one row speaks for a device. `like` and not `=`, so that only who asks for news is
-- offered this index: before the table is analyzed the planner takes it for as good as the key, and reads all positions of a
-- profile to find those of some devices.
create index device_position_received on device_position (ecpd_id, received_at) where accuracy like 'coarse';

-- How often positions of an account were written: a number that is another one when there is news, and is found without
-- looking at positions. It refers to no account, because whoever writes positions holds devices already, and accounts
-- come before devices.
create table position_news (
  ecpd_id      text not null,
  account_name text not null,
  times        bigint not null,
  primary key (ecpd_id, account_name)
);
