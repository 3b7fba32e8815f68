-- The last order that an element may have carried out for a line is what is known of it there, so it stays when others are deleted.
alter table network_order add column kept boolean not null default false;
drop index network_order_closed;
create index network_order_closed on network_order (closed_at) where closed_at is not null and not kept;
