-- Sessions are updated in place again and again: with room on its page a new version needs no entry in any index.
alter table data_session set (fillfactor = 70);
