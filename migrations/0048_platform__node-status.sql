-- What a process says of itself beside that it is up: what keeps it from being ready, and what it is fed. Absent from one of
-- an earlier version.
alter table node add column status jsonb;
