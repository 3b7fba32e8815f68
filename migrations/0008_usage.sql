create table subscription (
  ecpd_id      text not null,
  account_name text not null,
  service_name text not null check (service_name in ('Location', 'fota')),
  sku_name     text not null,
  since        date not null,
  -- Null: the SKU says it, or nothing does.
  allowance    bigint check (allowance >= 0),
  primary key (ecpd_id, account_name, service_name),
  foreign key (ecpd_id, account_name) references account on delete cascade
);
