-- What a device told at the moment of its newest reading, as digests: a feed that is sent again is recognised although readings
-- of one moment contradict each other.
alter table device_reading add column told_at text[] not null default '{}';
