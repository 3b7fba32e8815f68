-- Same as baabfad68ba8121425d3458f098f6996a405c904ce9dde38d355b472d7a2780e, which no cluster could run.
-- Which request a firing came of, as callback_message has it; null for what the service does by itself.
alter table firing add column caller_request_id text;
alter table firing add constraint firing_caller_request_id_check check (length(caller_request_id) between 1 and 64);
