-- What was done to one thing of an account.
create index audit_entry_target on audit_entry (account_name, target, entry_id)
  where account_name is not null and target is not null;
