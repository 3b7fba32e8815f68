-- The action at the beginning of a chain, where this one follows from usage that another has moved. Null: it is the beginning.
alter table trigger_action add chain_id uuid;

-- Lines whose plan was changed in a chain: what follows in it changes them no more. No foreign key: a chain goes on in other
-- accounts when the one that it began in is deleted.
create table trigger_chain_line (
  ecpd_id text not null,
  chain_id uuid not null,
  device_id uuid not null,
  changed_at timestamptz not null,
  primary key (ecpd_id, chain_id, device_id)
);
create index trigger_chain_line_age on trigger_chain_line (changed_at);
