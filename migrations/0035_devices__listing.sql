-- Listings go on after the last device seen, which clients name by a number: the order in which devices were added.
alter table device add column list_number bigint generated always as identity;
create index device_listing on device (ecpd_id, account_name, list_number) where kind <> 'sensor';

-- Listings by the beginning of an identifier; it serves those by account too.
create index device_identifier_begins on device_identifier (ecpd_id, account_name, kind, value text_pattern_ops);
drop index device_identifier_of_account;
