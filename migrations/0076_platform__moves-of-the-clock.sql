-- A move of the sandbox's clock outlasts a restart: where it goes, and the offset that it must not end below.
-- While `frozen_at` is set, domain time stands there and the offset says nothing.
alter table domain_clock
  add column frozen_at timestamptz,
  add column moving_to timestamptz,
  add column least_offset_ms bigint,
  add column move_nr int not null default 0,
  add check ((moving_to is null) = (least_offset_ms is null));

-- The first move that waits for this: none before it does. In production always 0.
alter table job add column move_nr int not null default 0;
alter table callback_pending add column move_nr int not null default 0;
alter table notification_recipient add column move_nr int not null default 0;
alter table rule_state add column move_nr int not null default 0;
