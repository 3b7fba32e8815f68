-- Addresses that came with a request, until its devices are worked on: the request itself is read again for every chunk
-- of devices, and ten thousand addresses would be read with it each time.
create table plan_change_place (
  ecpd_id    text not null,
  request_id uuid not null,
  -- Kind and value of the identifier by which the request names the device first, in one column: rows are looked up by a
  -- list, where a join would be planned for a table that is nearly empty.
  named_by   text not null,
  place      jsonb not null,
  primary key (ecpd_id, request_id, named_by),
  foreign key (ecpd_id, request_id) references carrier_request on delete cascade
);
