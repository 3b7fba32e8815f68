-- Grows with every change: a firing names the version of the rule that it followed.
alter table usage_trigger add column version int not null default 1;
alter table usage_trigger alter column version drop default;
-- The last month that it fired in, so that triggers that have are not looked at with every use; empty: none, or none with
-- the present percentage.
alter table usage_trigger add column fired_month text not null default '' check (fired_month ~ '^(\d{4}-\d{2})?$');
create index usage_trigger_threshold on usage_trigger (ecpd_id, account_name, service_name, threshold_percent, fired_month);
