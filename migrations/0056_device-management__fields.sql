-- A selection names any two fields. What the service says of users and rules has an index for each field: rows are so small
-- that reading all of an account's entries of one index of all fields was no better than a scan.
drop index user_profile_written;
create index user_profile_updated on user_profile (ecpd_id, account_name, last_updated);
create index user_profile_created on user_profile (ecpd_id, account_name, created_on);
create index user_profile_version on user_profile (ecpd_id, account_name, version, user_id);
create index user_profile_version_id on user_profile (ecpd_id, version_id);
drop index rule_written;
create index rule_updated on rule (ecpd_id, account_name, last_updated);
create index rule_created on rule (ecpd_id, account_name, created_on);
create index rule_version on rule (ecpd_id, account_name, version, rule_id);
create index rule_version_id on rule (ecpd_id, version_id);
