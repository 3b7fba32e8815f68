-- What one key or user did, and where one thing was done: the log has a line for each change of each device, so that neither can
-- be looked for line by line.
create index audit_entry_actor on audit_entry (actor, entry_id);
create index audit_entry_action on audit_entry (action, entry_id);
