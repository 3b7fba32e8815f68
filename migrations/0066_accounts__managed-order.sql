-- The accounts of a primary are listed by name, page by page.
drop index managed_account_primary;
create index managed_account_primary on managed_account (ecpd_id, paccount_name, service_name, account_name);
