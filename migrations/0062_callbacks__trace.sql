-- Which trace a message's delivery continues, as a W3C traceparent; null where nothing is traced.
alter table callback_message add column trace text;
