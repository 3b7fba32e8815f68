-- Grows with every change: a firing names the version of the rule that it followed.
alter table usage_trigger add column version int not null default 1;
alter table usage_trigger alter column version drop default;
create index usage_trigger_threshold on usage_trigger (ecpd_id, account_name, service_name, threshold_percent);
