-- What counts no more is deleted, the oldest first.
create index device_suspension_ended on device_suspension (resumed_at) where resumed_at is not null;
