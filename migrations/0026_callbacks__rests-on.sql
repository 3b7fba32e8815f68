-- A message about where a device is leaves only while its consent holds, at every attempt: whose, and for what.
alter table callback_message add column rests_on jsonb;
create index callback_message_about on callback_message (ecpd_id, (rests_on->>'deviceId')) where rests_on is not null;
