-- Users and rules are asked for by any field, as devices are, and listed in the order of their keys.
create index user_profile_record on user_profile using gin (record jsonb_path_ops);
create index user_profile_written on user_profile (ecpd_id, account_name, last_updated, created_on, version, version_id);
create index user_profile_of_account on user_profile (ecpd_id, account_name, user_id);
create index rule_record on rule using gin (record jsonb_path_ops);
create index rule_written on rule (ecpd_id, account_name, last_updated, created_on, version, version_id);
drop index rule_of_account;
create index rule_of_account on rule (ecpd_id, account_name, rule_id);
