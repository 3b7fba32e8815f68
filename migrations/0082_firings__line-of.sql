-- A line that has changed its account fires in each of them: its counters there begin at zero.
alter table firing add line_of text not null default '';
update firing set line_of = account_name where subject ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
alter table firing drop constraint firing_pkey;
alter table firing add primary key (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to);
