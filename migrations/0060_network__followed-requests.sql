-- The request whose change an order follows: if an element does not carry the order out, the request shows it.
alter table network_order add column request_id uuid;
create index network_order_unfollowed on network_order (ecpd_id, request_id)
  where request_id is not null and state in ('refused', 'failed');

-- Lines that no element was asked about: without an element that can tell, or while they were being changed.
alter table network_check add column skipped int not null default 0 check (skipped >= 0);
