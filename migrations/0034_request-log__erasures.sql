-- When positions of the account were erased last: another process may have such an answer still in its memory.
alter table recorded_account add column erased_at timestamptz;
