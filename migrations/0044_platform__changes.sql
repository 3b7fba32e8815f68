-- What somebody changed, among the many lines of programs that feed and of people who look: src/platform/context/audit.ts asks
-- by the same condition.
create index audit_entry_change on audit_entry (entry_id)
  where action !~ '^(operator(List|Read|Export|Feed)|import)' and (after->>'calls') is null;
