-- Which trace a job continues, as a W3C traceparent; null where nothing is traced.
alter table job add column trace text;
