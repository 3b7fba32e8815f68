-- What the condition of a rule compared when it raised an alert: [{"field", "operator", "limit", "value"}].
alter table smart_alert add column compared jsonb not null default '[]';
