-- Whose name `created_by` is: what a request changes is written down in it.
alter table carrier_request add column created_by_kind text not null default 'user'
  check (created_by_kind in ('operator', 'user', 'system'));
update carrier_request set created_by_kind = 'system' where created_by like 'trigger %';
