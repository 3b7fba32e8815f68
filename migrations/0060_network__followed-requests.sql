-- Same as 752c837df8c71d5380a650814ce47b8ce7d7f387f088b6aa42374a32f5cf13d4, which no cluster could run.
-- The request whose change an order follows: if an element does not carry the order out, the request shows it.
alter table network_order add column request_id uuid;
create index network_order_unfollowed on network_order (ecpd_id, request_id)
  where request_id is not null and state in ('refused', 'failed');

-- Lines that no element was asked about: without an element that can tell, or while they were being changed.
alter table network_check add column skipped int not null default 0;
alter table network_check add constraint network_check_skipped_check check (skipped >= 0);
