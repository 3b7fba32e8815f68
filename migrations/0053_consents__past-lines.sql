-- Lines that an account had and has no more, and whether it may still show their positions, by accuracy. Set when a line
-- leaves, by its own level and exclusion there, and cleared once the line may not be located where it is now. No row: nothing
-- may be shown. A device that leaves its profile gets a new id there, so a row says where its line is now; no foreign key to
-- either device, because the row outlives both.
create table past_line (
  ecpd_id          text not null,
  account_name     text not null,
  device_id        uuid not null,
  coarse           boolean not null,
  precise          boolean not null,
  left_at          timestamptz not null,
  now_ecpd_id      text not null,
  now_account_name text not null,
  now_device_id    uuid not null,
  primary key (ecpd_id, account_name, device_id),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
-- What the present owner decides, and an erasure, concern every earlier owner.
create index past_line_now on past_line (now_ecpd_id, now_account_name, now_device_id);
-- For retention.
create index past_line_left on past_line (left_at);
