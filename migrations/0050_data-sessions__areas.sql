-- Some access servers call input what goes to the device. Counters stay as they are reported, so that none is counted twice where the
-- setting changes while a session is open; who looks at a session sees them the right way round.
alter table data_session add column directions_swapped boolean not null default false;

-- Where the cells of an area are, for lines in a cell that is not known. An area of one radio technology is not that of another.
create table radio_area (
  mcc       int not null,
  net       int not null,
  area      bigint not null,
  radio     text not null,
  latitude  double precision not null,
  longitude double precision not null,
  radius_m  double precision not null,
  primary key (mcc, net, area, radio)
);
