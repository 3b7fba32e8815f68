-- How many active lines of an account are on a plan: what they may use together is asked for with every batch of usage.
create index device_active_line on device (ecpd_id, account_name, service_plan) where state = 'active';
