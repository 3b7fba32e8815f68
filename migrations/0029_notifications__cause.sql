-- Same as 35187601ff53b718d94f623a0e9a31f22a3eeb8206043de370962f55664ae361, which no cluster could run.
-- Which request a mail or an SMS came of, as callback_message has it; null for what the service does by itself.
alter table notification add column caller_request_id text;
alter table notification add constraint notification_caller_request_id_check check (length(caller_request_id) between 1 and 64);
