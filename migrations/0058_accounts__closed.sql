-- An account that is being deleted: nobody finds it by its name any more, and its data goes in steps.
alter table account_directory add column closed_at timestamptz;
create index account_directory_closed on account_directory (closed_at) where closed_at is not null;
