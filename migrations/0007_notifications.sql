create table notification_group (
  ecpd_id text not null references profile on delete cascade,
  name    text not null,
  emails  text[] not null,
  phones  text[] not null,
  primary key (ecpd_id, name)
);
