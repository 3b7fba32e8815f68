-- Data sessions as access servers report them. A row for each session of an access server: it outlives its line.
create table data_session (
  ecpd_id        text not null,
  -- Made of the access server, the session id and the charging id.
  session_key    uuid not null,
  nas            text not null,
  session_id     text not null,
  charging_id    bigint,
  account_name   text not null,
  device_id      uuid not null,
  -- Access servers use a session id again. 0: nothing was counted yet.
  generation     int not null,
  -- Reports that are later are of this generation; null: all are. Then the same of the generation before.
  after_at       timestamptz,
  earlier_after  timestamptz,
  -- The highest counters that were seen, from the device and to it.
  input          bigint not null,
  output         bigint not null,
  earlier_input  bigint not null,
  earlier_output bigint not null,
  -- Of the report that is dated last.
  last_at        timestamptz,
  started_at     timestamptz,
  closed_at      timestamptz,
  close_cause    text,
  -- The line is another profile's now, where the session goes on.
  moved          boolean not null default false,
  apn            text,
  rat            text,
  sgsn           text,
  ggsn           text,
  visited        text,
  country_code   text,
  imeisv         text,
  address        text,
  cell           text,
  primary key (ecpd_id, session_key),
  foreign key (ecpd_id, account_name) references account on delete cascade,
  check ((closed_at is null) = (close_cause is null))
) with (fillfactor = 80);
create index data_session_by_key on data_session (session_key);
create index data_session_of_line on data_session (ecpd_id, device_id);
create index data_session_open on data_session (nas, ecpd_id) where closed_at is null;
create index data_session_closed on data_session (closed_at) where closed_at is not null;
create index data_session_of_account on data_session (ecpd_id, account_name);

-- When an access server last said that it begins or ends: its sessions were over then. It serves lines of all profiles.
create table access_server (
  nas          text not null primary key,
  restarted_at timestamptz not null
);

-- The device that a line was last seen in.
create table line_equipment (
  ecpd_id      text not null,
  device_id    uuid not null,
  account_name text not null,
  imeisv       text not null,
  seen_at      timestamptz not null,
  primary key (ecpd_id, device_id),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
create index line_equipment_of_account on line_equipment (ecpd_id, account_name);

-- Where the cells of radio networks are, as an operator has imported them. It belongs to nobody.
create table radio_cell (
  mcc       int not null,
  net       int not null,
  cell      bigint not null,
  area      bigint not null,
  radio     text not null,
  latitude  double precision not null,
  longitude double precision not null,
  radius_m  double precision not null,
  primary key (mcc, net, cell, area, radio)
);
