-- Which trace a notification's delivery continues, as a W3C traceparent; null where nothing is traced.
alter table notification add column trace text;
