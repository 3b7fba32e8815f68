-- Where each device was, fix by fix, as it was taken: for the device page and the map. A fix is kept once for its moment, the
-- precise one where there are two; its coarse form is made when it is shown. Nobody is billed for it.
create table position_history (
  ecpd_id   text not null,
  device_id uuid not null,
  at        timestamptz not null,
  accuracy  text not null check (accuracy in ('coarse', 'precise')),
  latitude  float8 not null check (latitude between -90 and 90),
  longitude float8 not null check (longitude between -180 and 180),
  radius_m  float8 not null check (radius_m >= 0),
  primary key (ecpd_id, device_id, at),
  foreign key (ecpd_id, device_id) references device on delete cascade
);
-- For retention.
create index position_history_at on position_history (at);
