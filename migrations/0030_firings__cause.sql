-- Which request a firing came of, as callback_message has it; null for what the service does by itself.
alter table firing add column caller_request_id text check (length(caller_request_id) between 1 and 64);
