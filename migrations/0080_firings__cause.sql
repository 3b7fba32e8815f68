-- Set where neither a record nor the end of a cycle reached the level: usage was moved to the plan by a change of it.
alter table firing add cause text check (cause = 'planChange');
