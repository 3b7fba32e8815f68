-- Firings from before boundaries had a history may name a cycle that begins elsewhere by the present rules.
alter table firing add column exact boolean not null default false;
alter table firing alter column exact set default true;
