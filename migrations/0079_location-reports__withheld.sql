-- What an entry shows depends on the consent that holds when it is shown; one that was not asked for want of consent is
-- asked for when there is some, and so needs to know how old a cached position may be.
alter table location_request add column max_age_ms bigint check (max_age_ms >= 0);

alter table location_entry
  -- The level denied it when the request was taken, whoever was excluded then: decides how a denial reads.
  add column denied_when_asked boolean not null default false,
  -- The last time it was not asked for, for want of consent.
  add column unasked boolean not null default false,
  drop constraint location_entry_state_check;
alter table location_entry
  -- withheld: never asked for, for want of consent.
  add constraint location_entry_state_check check (state in ('waiting', 'located', 'failed', 'absent', 'withheld')),
  add constraint location_entry_unasked_check check (case state when 'withheld' then unasked when 'absent' then true else not unasked end);
-- Who waits for the consent of which devices.
create index location_entry_unasked on location_entry (ecpd_id, device_id, txid) where unasked;

-- Of what failed before for want of consent nobody is asked again, or billed: it had been told for good.
update location_entry e set state = 'failed', error_type = 'CANCELLATION OF TRIGGERED LOCATION REQUEST', error_at = r.ended_at
from location_request r
where r.ecpd_id = e.ecpd_id and r.txid = e.txid and r.status = 'CANCELLED' and e.state = 'waiting';
