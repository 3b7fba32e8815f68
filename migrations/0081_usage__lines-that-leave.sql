-- A line that has left its account: whoever looked its records up before looks them up again.
alter table usage_move add has_left boolean not null default false;
