-- Lines grow old on their plan also while they are suspended. Beside the index of active lines: few lines are suspended.
create index device_suspended_line on device (ecpd_id, account_name, service_plan) where state = 'suspend';
