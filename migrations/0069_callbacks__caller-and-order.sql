-- Which request a message came of, by the id that its caller sent or was given; null for what the service does by itself.
alter table callback_message
  add column caller_request_id text check (length(caller_request_id) between 1 and 64);

-- Messages to one listener that have it in common get their first attempts one after the other, as their ids sort.
alter table callback_message add column order_key text;
