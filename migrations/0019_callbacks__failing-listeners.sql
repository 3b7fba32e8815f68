-- What a lane knows of its listener: since when no attempt was acknowledged, and what came of the last one.
-- Null while the last attempt was acknowledged, so that healthy lanes are not written for it.
alter table callback_lane
  add column failing_since  timestamptz,
  add column last_failed_at timestamptz,
  add column last_failure   text;
create index callback_lane_failing on callback_lane (ecpd_id, account_name, service_name) where failing_since is not null;
