-- The state that a line returns to. The operator suspends what is not active too, and the end of that activates nothing.
alter table device_suspension add column resumes_to text not null default 'active'
  check (resumes_to in ('pre-active', 'active', 'deactive'));
alter table device_suspension alter column resumes_to drop default;
