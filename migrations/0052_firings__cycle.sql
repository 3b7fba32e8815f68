-- A day and a month can begin at the same moment: they are two cycles, and each fires once.
alter table firing drop constraint firing_pkey;
alter table firing add primary key (ecpd_id, trigger_id, subject, level_kind, level, cycle_from, cycle_to);
