-- The sum of migrations/, written by: npm run generate

create table access_server (
  nas text not null,
  restarted_at timestamp with time zone not null,
  constraint access_server_pkey PRIMARY KEY (nas, restarted_at)
);
CREATE INDEX access_server_age ON access_server USING btree (restarted_at);

create table account (
  ecpd_id text not null,
  account_name text not null,
  organization_name text,
  time_zone text not null,
  bill_cycle_day integer not null,
  real_time_rating boolean not null,
  aggregated_billing boolean not null,
  location_registered boolean not null,
  contact_email text,
  created_at timestamp with time zone not null,
  currency text not null default 'USD'::text,
  boundaries jsonb,
  constraint account_pkey PRIMARY KEY (ecpd_id, account_name),
  constraint account_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account_directory(ecpd_id, account_name),
  constraint account_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE,
  constraint account_bill_cycle_day_check CHECK (((bill_cycle_day >= 1) AND (bill_cycle_day <= 31))),
  constraint account_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE INDEX account_by_name ON account USING btree (account_name);

create table account_directory (
  account_name text not null,
  ecpd_id text not null,
  closed_at timestamp with time zone,
  constraint account_directory_pkey PRIMARY KEY (account_name),
  constraint account_directory_ecpd_id_account_name_key UNIQUE (ecpd_id, account_name)
);
CREATE INDEX account_directory_closed ON account_directory USING btree (closed_at) WHERE (closed_at IS NOT NULL);

create table action_pause (
  only_row boolean not null default true,
  paused_at timestamp with time zone not null,
  paused_by text not null,
  constraint action_pause_pkey1 PRIMARY KEY (only_row),
  constraint action_pause_only_row_check1 CHECK (only_row)
);

create table audit_entry (
  entry_id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor text not null,
  action text not null,
  target text,
  ecpd_id text not null default ''::text,
  account_name text,
  request_id text not null,
  status integer,
  before jsonb,
  after jsonb,
  constraint audit_entry_pkey PRIMARY KEY (ecpd_id, entry_id),
  constraint audit_entry_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'user'::text, 'system'::text])))
);
CREATE INDEX audit_entry_account ON audit_entry USING btree (account_name, entry_id) WHERE (account_name IS NOT NULL);
CREATE INDEX audit_entry_action ON audit_entry USING btree (action, entry_id);
CREATE INDEX audit_entry_actor ON audit_entry USING btree (actor, entry_id);
CREATE INDEX audit_entry_at ON audit_entry USING btree (at);
CREATE INDEX audit_entry_change ON audit_entry USING btree (entry_id) WHERE ((action !~ '^(operator(List|Read|Export|Feed)|import)'::text) AND ((after ->> 'calls'::text) IS NULL));
CREATE INDEX audit_entry_target ON audit_entry USING btree (account_name, target, entry_id) WHERE ((account_name IS NOT NULL) AND (target IS NOT NULL));

create table billing_request (
  ecpd_id text not null,
  account_name text not null,
  request_id uuid not null,
  asked jsonb not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  failed boolean not null default false,
  constraint billing_request_pkey PRIMARY KEY (ecpd_id, account_name, request_id),
  constraint billing_request_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX billing_request_ended ON billing_request USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX billing_request_open ON billing_request USING btree (ecpd_id, account_name) WHERE (ended_at IS NULL);

create table callback_attempt (
  ecpd_id text not null,
  message_id uuid not null,
  series smallint not null,
  attempt smallint not null,
  at timestamp with time zone not null,
  status smallint,
  latency_ms integer not null,
  error text,
  answer text not null,
  signed_at timestamp with time zone,
  signature_mark integer,
  answer_headers text,
  constraint callback_attempt_pkey PRIMARY KEY (ecpd_id, message_id, series, attempt)
);

create table callback_failed (
  ecpd_id text not null,
  message_id uuid not null,
  account_name text not null,
  service_name text not null,
  created_at timestamp with time zone not null,
  constraint callback_failed_pkey PRIMARY KEY (ecpd_id, message_id)
);
CREATE INDEX callback_failed_account ON callback_failed USING btree (ecpd_id, account_name, created_at);
CREATE INDEX callback_failed_created ON callback_failed USING btree (created_at);

create table callback_lane (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  lease_token uuid not null,
  leased_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone not null,
  taken_over boolean not null default false,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failure text,
  constraint callback_lane_pkey PRIMARY KEY (ecpd_id, account_name, service_name)
);
CREATE INDEX callback_lane_failing ON callback_lane USING btree (ecpd_id, account_name, service_name) WHERE (failing_since IS NOT NULL);

create table callback_listener (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  url text,
  username_sealed text,
  password_sealed text,
  secret_sealed text not null,
  paused boolean not null default false,
  legacy boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  previous_secret_sealed text,
  previous_secret_until timestamp with time zone,
  constraint callback_listener_pkey PRIMARY KEY (ecpd_id, account_name, service_name),
  constraint callback_listener_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);

create table callback_message (
  ecpd_id text not null,
  message_id uuid not null,
  account_name text not null,
  service_name text not null,
  request_id text not null,
  payload text not null,
  created_at timestamp with time zone not null,
  rests_on jsonb,
  trace text,
  caller_request_id text,
  order_key text,
  constraint callback_message_pkey PRIMARY KEY (ecpd_id, message_id),
  constraint callback_message_caller_request_id_check CHECK (((length(caller_request_id) >= 1) AND (length(caller_request_id) <= 64)))
);
CREATE INDEX callback_message_about ON callback_message USING btree (ecpd_id, ((rests_on ->> 'deviceId'::text))) WHERE (rests_on IS NOT NULL);
CREATE INDEX callback_message_created ON callback_message USING btree (created_at, service_name);
CREATE INDEX callback_message_lane ON callback_message USING btree (ecpd_id, account_name, service_name, created_at, message_id);
CREATE INDEX callback_message_request ON callback_message USING btree (request_id, ecpd_id, account_name);

create table callback_pending (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  due_at timestamp with time zone not null,
  message_id uuid not null,
  series smallint not null,
  attempts_made smallint not null,
  move_nr integer not null default 0,
  constraint callback_pending_pkey PRIMARY KEY (ecpd_id, account_name, service_name, due_at, message_id)
);
CREATE INDEX callback_pending_message ON callback_pending USING btree (ecpd_id, message_id);

create table carrier_request (
  ecpd_id text not null,
  account_name text not null,
  request_id uuid not null,
  operation text not null,
  status text not null,
  device_count integer not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  body jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  ended_at timestamp with time zone,
  created_by_kind text not null default 'user'::text,
  held integer not null default 0,
  constraint carrier_request_pkey PRIMARY KEY (ecpd_id, request_id),
  constraint carrier_request_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint carrier_request_check CHECK (((status = 'Pending'::text) = (ended_at IS NULL))),
  constraint carrier_request_check2 CHECK (((status = 'Pending'::text) OR ((succeeded + failed) = device_count))),
  constraint carrier_request_check3 CHECK (((status <> 'Success'::text) OR (failed = 0))),
  constraint carrier_request_counts CHECK ((((succeeded + failed) + held) <= device_count)),
  constraint carrier_request_created_by_kind_check CHECK ((created_by_kind = ANY (ARRAY['operator'::text, 'user'::text, 'system'::text]))),
  constraint carrier_request_device_count_check CHECK (((device_count >= 1) AND (device_count <= 10000))),
  constraint carrier_request_failed_check CHECK ((failed >= 0)),
  constraint carrier_request_held_check CHECK ((held >= 0)),
  constraint carrier_request_status_check CHECK ((status = ANY (ARRAY['Pending'::text, 'Success'::text, 'Failure'::text]))),
  constraint carrier_request_succeeded_check CHECK ((succeeded >= 0))
);
CREATE INDEX carrier_request_ended ON carrier_request USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX carrier_request_open ON carrier_request USING btree (ecpd_id, account_name) WHERE (ended_at IS NULL);

create table carrier_request_device (
  ecpd_id text not null,
  request_id uuid not null,
  nth integer not null,
  device_id uuid,
  ids jsonb not null,
  fault_code text,
  fault_text text,
  held boolean not null default false,
  constraint carrier_request_device_pkey PRIMARY KEY (ecpd_id, request_id, nth),
  constraint carrier_request_device_check CHECK (((fault_code IS NULL) = (fault_text IS NULL)))
);
CREATE INDEX carrier_request_device_held ON carrier_request_device USING btree (ecpd_id, request_id, device_id) WHERE held;
CREATE INDEX carrier_request_device_of ON carrier_request_device USING btree (ecpd_id, device_id) WHERE (device_id IS NOT NULL);

create table client (
  client_id text not null,
  secret_hash text,
  previous_secret_hash text,
  previous_secret_until timestamp with time zone,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint client_pkey PRIMARY KEY (client_id)
);

create table client_token (
  token_hash text not null,
  client_id text not null,
  key_id text not null,
  nonce text not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint client_token_pkey PRIMARY KEY (token_hash),
  constraint client_token_client_id_fkey FOREIGN KEY (client_id) REFERENCES client(client_id) ON DELETE CASCADE
);
CREATE INDEX client_token_expiry ON client_token USING btree (expires_at);
CREATE INDEX client_token_of_client ON client_token USING btree (client_id, expires_at);

create table consent (
  ecpd_id text not null,
  account_name text not null,
  level integer not null,
  updated_at timestamp with time zone not null,
  constraint consent_pkey PRIMARY KEY (ecpd_id, account_name),
  constraint consent_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint consent_level_check CHECK (((level >= 0) AND (level <= 3)))
);

create table consent_ledger (
  ecpd_id text not null,
  account_name text not null,
  entry_id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  device_id uuid,
  change text not null,
  level integer,
  identifier text,
  constraint consent_ledger_pkey PRIMARY KEY (ecpd_id, account_name, entry_id),
  constraint consent_ledger_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint consent_ledger_change CHECK ((change = ANY (ARRAY['level'::text, 'level-all'::text, 'device-level'::text, 'exclude'::text, 'exclude-all'::text, 'allow'::text, 'allow-all'::text]))),
  constraint consent_ledger_check2 CHECK (((change = ANY (ARRAY['exclude'::text, 'allow'::text])) = (identifier IS NOT NULL))),
  constraint consent_ledger_device CHECK (
CASE
    WHEN (change = 'device-level'::text) THEN (device_id IS NOT NULL)
    WHEN (change <> ALL (ARRAY['exclude'::text, 'allow'::text])) THEN (device_id IS NULL)
    ELSE true
END),
  constraint consent_ledger_level CHECK (((change = ANY (ARRAY['level'::text, 'level-all'::text, 'device-level'::text])) = (level IS NOT NULL))),
  constraint consent_ledger_level_check CHECK (((level >= 0) AND (level <= 3)))
);
CREATE INDEX consent_ledger_of_account ON consent_ledger USING btree (ecpd_id, account_name, change, at, entry_id) WHERE ((device_id IS NULL) AND (identifier IS NULL));
CREATE INDEX consent_ledger_of_device ON consent_ledger USING btree (ecpd_id, account_name, device_id, identifier, at, entry_id) WHERE (device_id IS NOT NULL);
CREATE INDEX consent_ledger_of_identifier ON consent_ledger USING btree (ecpd_id, account_name, identifier, at, entry_id) WHERE (identifier IS NOT NULL);
CREATE TRIGGER consent_ledger_no_delete BEFORE DELETE ON consent_ledger FOR EACH STATEMENT EXECUTE FUNCTION keep_consent_ledger();
CREATE TRIGGER consent_ledger_no_update BEFORE UPDATE ON consent_ledger FOR EACH STATEMENT EXECUTE FUNCTION keep_consent_ledger();

create table console_session (
  token_hash text not null,
  username text,
  operator_key_hash text,
  password_proof text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint console_session_pkey PRIMARY KEY (token_hash),
  constraint console_session_check CHECK (((username IS NULL) <> (operator_key_hash IS NULL))),
  constraint console_session_check1 CHECK (((username IS NULL) = (password_proof IS NULL)))
);
CREATE INDEX console_session_created ON console_session USING btree (created_at);

create table data_session (
  ecpd_id text not null,
  session_key uuid not null,
  nas text not null,
  session_id text not null,
  charging_id bigint,
  account_name text not null,
  device_id uuid not null,
  input bigint not null,
  output bigint not null,
  last_at timestamp with time zone,
  started_at timestamp with time zone,
  closed_at timestamp with time zone,
  close_cause text,
  moved boolean not null default false,
  apn text,
  rat text,
  sgsn text,
  ggsn text,
  visited text,
  country_code text,
  imeisv text,
  address text,
  cell text,
  directions_swapped boolean not null default false,
  reports jsonb not null default '[]'::jsonb,
  dropped_until timestamp with time zone,
  counted bigint not null default 0,
  doubtful bigint not null default 0,
  records integer not null default 0,
  constraint data_session_pkey PRIMARY KEY (ecpd_id, session_key),
  constraint data_session_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint data_session_check CHECK (((closed_at IS NULL) = (close_cause IS NULL)))
);
CREATE INDEX data_session_by_key ON data_session USING btree (session_key);
CREATE INDEX data_session_closed ON data_session USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX data_session_of_account ON data_session USING btree (ecpd_id, account_name);
CREATE INDEX data_session_of_line ON data_session USING btree (ecpd_id, device_id);
CREATE INDEX data_session_open ON data_session USING btree (nas, ecpd_id) WHERE (closed_at IS NULL);

create table device (
  ecpd_id text not null,
  device_id uuid not null,
  account_name text not null,
  kind text not null,
  state text not null,
  service_plan text,
  plan_since timestamp with time zone,
  imei text,
  iccid text,
  imsi text,
  msisdn text,
  mdn text,
  min text,
  meid text,
  esn text,
  eid text,
  mac text,
  deveui text,
  node_uuid uuid,
  iot boolean not null,
  activated_by_sku boolean not null,
  ota_updated boolean not null,
  labels jsonb not null,
  record jsonb not null,
  simulation jsonb not null,
  foreign_id uuid not null,
  created_on timestamp with time zone not null,
  last_updated timestamp with time zone not null,
  version bigint not null,
  version_id uuid not null,
  list_number bigint not null generated always as identity,
  ip_address text,
  activated_at timestamp with time zone,
  activated_by text,
  came_at timestamp with time zone,
  constraint device_pkey PRIMARY KEY (ecpd_id, device_id),
  constraint device_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint device_service_plan_fkey FOREIGN KEY (service_plan) REFERENCES plan(code),
  constraint device_check CHECK (((service_plan IS NULL) = (plan_since IS NULL))),
  constraint device_check1 CHECK (((activated_at IS NULL) = (activated_by IS NULL))),
  constraint device_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'gateway'::text, 'sensor'::text]))),
  constraint device_state_check CHECK ((state = ANY (ARRAY['pre-active'::text, 'active'::text, 'suspend'::text, 'deactive'::text])))
);
CREATE INDEX device_active_line ON device USING btree (ecpd_id, account_name, service_plan) WHERE (state = 'active'::text);
CREATE INDEX device_by_plan ON device USING btree (ecpd_id, account_name, COALESCE(service_plan, ''::text) COLLATE "C", list_number) WHERE (kind <> 'sensor'::text);
CREATE INDEX device_by_state ON device USING btree (ecpd_id, account_name, state COLLATE "C", list_number) WHERE (kind <> 'sensor'::text);
CREATE INDEX device_gateway ON device USING btree (ecpd_id, account_name, list_number) WHERE (kind = 'gateway'::text);
CREATE UNIQUE INDEX device_ip_address ON device USING btree (ecpd_id, ip_address) WHERE (ip_address IS NOT NULL);
CREATE INDEX device_labels ON device USING gin (labels jsonb_path_ops);
CREATE INDEX device_listing ON device USING btree (ecpd_id, account_name, list_number) WHERE (kind <> 'sensor'::text);
CREATE INDEX device_name ON device USING btree (ecpd_id, account_name, lower("left"(COALESCE((record ->> 'name'::text), imei, iccid, imsi, msisdn, mdn, min, meid, esn, eid, mac, deveui, ''::text), 64)) COLLATE "C", list_number) WHERE (kind <> 'sensor'::text);
CREATE INDEX device_node ON device USING btree (ecpd_id, node_uuid) WHERE (node_uuid IS NOT NULL);
CREATE INDEX device_of_account ON device USING btree (ecpd_id, account_name, device_id);
CREATE INDEX device_parent ON device USING btree (ecpd_id, ((record ->> 'parentdeviceid'::text))) WHERE (record ? 'parentdeviceid'::text);
CREATE INDEX device_plan_now ON device USING btree (ecpd_id, device_id) INCLUDE (service_plan, plan_since);
CREATE INDEX device_record ON device USING gin (record jsonb_path_ops);
CREATE INDEX device_sensor ON device USING btree (ecpd_id, account_name, list_number) WHERE (kind = 'sensor'::text);
CREATE INDEX device_suspended_line ON device USING btree (ecpd_id, account_name, service_plan) WHERE (state = 'suspend'::text);
CREATE INDEX device_written ON device USING btree (ecpd_id, account_name, last_updated, created_on, version, version_id);

create table device_consent (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  level integer not null,
  constraint device_consent_pkey PRIMARY KEY (ecpd_id, account_name, device_id),
  constraint device_consent_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint device_consent_level_check CHECK (((level >= 0) AND (level <= 3)))
);
CREATE INDEX device_consent_device ON device_consent USING btree (ecpd_id, device_id);

create table device_identifier (
  kind text not null,
  value text not null,
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  since timestamp with time zone,
  constraint device_identifier_pkey PRIMARY KEY (kind, value) INCLUDE (ecpd_id, account_name, device_id, since)
);
CREATE INDEX device_identifier_begins ON device_identifier USING btree (ecpd_id, account_name, kind, value text_pattern_ops);
CREATE INDEX device_identifier_of_device ON device_identifier USING btree (ecpd_id, device_id);

create table device_line (
  ecpd_id text not null,
  device_id uuid not null,
  line_number bigint not null generated always as identity,
  credential_username text not null,
  credential_key_id text not null,
  constraint device_line_pkey PRIMARY KEY (ecpd_id, device_id),
  constraint device_line_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);

create table device_place_of_use (
  ecpd_id text not null,
  device_id uuid not null,
  place jsonb not null,
  changed_at timestamp with time zone not null,
  constraint device_place_of_use_pkey PRIMARY KEY (ecpd_id, device_id),
  constraint device_place_of_use_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);

create table device_plan (
  ecpd_id text not null,
  device_id uuid not null,
  change_id bigint not null generated always as identity,
  since timestamp with time zone not null,
  plan_code text not null,
  cause text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint device_plan_pkey PRIMARY KEY (ecpd_id, device_id, change_id),
  constraint device_plan_cause_check CHECK ((cause = ANY (ARRAY['import'::text, 'activation'::text, 'change'::text, 'move'::text])))
);

create table device_position (
  ecpd_id text not null,
  device_id uuid not null,
  accuracy text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m double precision not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint device_position_pkey PRIMARY KEY (ecpd_id, device_id, accuracy),
  constraint device_position_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint device_position_accuracy_check CHECK ((accuracy = ANY (ARRAY['coarse'::text, 'precise'::text]))),
  constraint device_position_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint device_position_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint device_position_radius_m_check CHECK ((radius_m >= (0)::double precision))
);
CREATE INDEX device_position_at ON device_position USING btree (at);
CREATE INDEX device_position_received ON device_position USING btree (ecpd_id, received_at) WHERE (accuracy ~~ 'coarse'::text);

create table device_reading (
  ecpd_id text not null,
  device_id uuid not null,
  at timestamp with time zone,
  known jsonb not null,
  told_at text[] not null default '{}'::text[],
  constraint device_reading_pkey PRIMARY KEY (ecpd_id, device_id),
  constraint device_reading_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);

create table device_suspension (
  ecpd_id text not null,
  device_id uuid not null,
  suspension_id bigint not null generated always as identity,
  account_name text not null,
  suspended_at timestamp with time zone not null,
  resumes_at timestamp with time zone not null,
  notice_at timestamp with time zone not null,
  noticed_at timestamp with time zone,
  resumed_at timestamp with time zone,
  with_billing boolean not null,
  reason text not null,
  request_id uuid,
  resumes_to text not null,
  constraint device_suspension_pkey PRIMARY KEY (ecpd_id, device_id, suspension_id),
  constraint device_suspension_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint device_suspension_check CHECK ((resumes_at > suspended_at)),
  constraint device_suspension_check1 CHECK ((resumed_at >= suspended_at)),
  constraint device_suspension_resumes_to_check CHECK ((resumes_to = ANY (ARRAY['pre-active'::text, 'active'::text, 'deactive'::text])))
);
CREATE INDEX device_suspension_due ON device_suspension USING btree (ecpd_id, account_name, resumes_at) WHERE (resumed_at IS NULL);
CREATE INDEX device_suspension_ended ON device_suspension USING btree (resumed_at) WHERE (resumed_at IS NOT NULL);
CREATE INDEX device_suspension_notice ON device_suspension USING btree (ecpd_id, account_name, notice_at) WHERE ((resumed_at IS NULL) AND (noticed_at IS NULL));
CREATE UNIQUE INDEX device_suspension_open ON device_suspension USING btree (ecpd_id, device_id) WHERE (resumed_at IS NULL);

create table domain_clock (
  only_row boolean not null default true,
  offset_ms bigint not null,
  frozen_at timestamp with time zone,
  moving_to timestamp with time zone,
  least_offset_ms bigint,
  move_nr integer not null default 0,
  seed_epoch integer not null default 0,
  constraint domain_clock_pkey PRIMARY KEY (only_row),
  constraint domain_clock_check CHECK (((moving_to IS NULL) = (least_offset_ms IS NULL))),
  constraint domain_clock_only_row_check CHECK (only_row)
);

create table doubtful_usage (
  ecpd_id text not null,
  record_id text not null,
  account_name text not null,
  device_id uuid not null,
  nas text not null,
  session_id text not null,
  charging_id bigint,
  at timestamp with time zone not null,
  bytes bigint not null,
  noticed_at timestamp with time zone not null,
  constraint doubtful_usage_pkey PRIMARY KEY (ecpd_id, record_id),
  constraint doubtful_usage_account_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX doubtful_usage_newest ON doubtful_usage USING btree (noticed_at, record_id);
CREATE INDEX doubtful_usage_of_account ON doubtful_usage USING btree (ecpd_id, account_name, noticed_at);

create table earlier_owner (
  kind text not null,
  value text not null,
  from_at timestamp with time zone,
  to_at timestamp with time zone not null,
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  constraint earlier_owner_pkey PRIMARY KEY (kind, value, to_at),
  constraint earlier_owner_check CHECK ((from_at < to_at))
);
CREATE INDEX earlier_owner_age ON earlier_owner USING btree (to_at);
CREATE INDEX earlier_owner_of_account ON earlier_owner USING btree (ecpd_id, account_name);
CREATE INDEX earlier_owner_of_line ON earlier_owner USING btree (ecpd_id, device_id);

create table excluded_device (
  ecpd_id text not null,
  account_name text not null,
  identifier text not null,
  device_id uuid not null,
  constraint excluded_device_pkey PRIMARY KEY (ecpd_id, account_name, identifier, device_id),
  constraint excluded_device_ecpd_id_account_name_identifier_fkey FOREIGN KEY (ecpd_id, account_name, identifier) REFERENCES exclusion(ecpd_id, account_name, identifier) ON DELETE CASCADE,
  constraint excluded_device_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);
CREATE INDEX excluded_device_device ON excluded_device USING btree (ecpd_id, device_id);

create table exclusion (
  ecpd_id text not null,
  account_name text not null,
  identifier text not null,
  constraint exclusion_pkey PRIMARY KEY (ecpd_id, account_name, identifier),
  constraint exclusion_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES exclusion_list(ecpd_id, account_name) ON DELETE CASCADE
);

create table exclusion_list (
  ecpd_id text not null,
  account_name text not null,
  all_device boolean not null,
  updated_at timestamp with time zone not null,
  constraint exclusion_list_pkey PRIMARY KEY (ecpd_id, account_name),
  constraint exclusion_list_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);

create table firing (
  ecpd_id text not null,
  trigger_id uuid not null,
  subject text not null,
  level_kind text not null,
  level bigint not null,
  cycle_from timestamp with time zone not null,
  cycle_to timestamp with time zone not null,
  firing_id uuid not null,
  kind text not null,
  account_name text not null,
  counted_before numeric not null,
  counted_after numeric not null,
  threshold numeric not null,
  usage_record_id text,
  rule_version integer not null,
  fired_at timestamp with time zone not null,
  late boolean not null,
  cause text,
  line_of text not null default ''::text,
  caller_request_id text,
  exact boolean not null default true,
  constraint firing_pkey PRIMARY KEY (ecpd_id, trigger_id, subject, line_of, level_kind, level, cycle_from, cycle_to),
  constraint firing_ecpd_id_firing_id_key UNIQUE (ecpd_id, firing_id),
  constraint firing_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint firing_caller_request_id_check CHECK (((length(caller_request_id) >= 1) AND (length(caller_request_id) <= 64))),
  constraint firing_cause_check CHECK ((cause = 'planChange'::text)),
  constraint firing_check CHECK ((cycle_to > cycle_from)),
  constraint firing_kind_check CHECK ((kind = ANY (ARRAY['usage'::text, 'pricePlan'::text])))
);
CREATE INDEX firing_fired_at ON firing USING btree (fired_at DESC, firing_id DESC);
CREATE INDEX firing_of_account ON firing USING btree (ecpd_id, account_name, fired_at DESC, firing_id DESC);
CREATE INDEX firing_of_subject ON firing USING btree (ecpd_id, subject, fired_at DESC, firing_id DESC);
CREATE INDEX firing_of_trigger ON firing USING btree (trigger_id, fired_at DESC, firing_id DESC);

create table firing_action (
  ecpd_id text not null,
  firing_id uuid not null,
  action_id uuid not null,
  device_id uuid,
  state text,
  reason text,
  constraint firing_action_pkey PRIMARY KEY (ecpd_id, firing_id, action_id),
  constraint firing_action_ecpd_id_action_id_fkey FOREIGN KEY (ecpd_id, action_id) REFERENCES trigger_action(ecpd_id, action_id) ON DELETE CASCADE,
  constraint firing_action_check CHECK (((state IS NULL) = (reason IS NULL))),
  constraint firing_action_state_check CHECK ((state = ANY (ARRAY['failed'::text, 'skipped'::text, 'dropped'::text, 'expired'::text])))
);
CREATE INDEX firing_action_of_action ON firing_action USING btree (ecpd_id, action_id, device_id);

create table idempotent_answer (
  caller text not null,
  key text not null,
  method text not null,
  path text not null,
  body_hash text not null,
  status integer not null,
  headers jsonb not null,
  body text not null,
  expires_at timestamp with time zone not null,
  constraint idempotent_answer_pkey PRIMARY KEY (caller, key, method, path)
);
CREATE INDEX idempotent_answer_expiry ON idempotent_answer USING btree (expires_at);

create table job (
  ecpd_id text not null,
  job_id uuid not null,
  kind text not null,
  key text,
  payload jsonb not null,
  state text not null default 'waiting'::text,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  attempts_max integer not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  last_error text,
  request_id text not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  trace text,
  move_nr integer not null default 0,
  constraint job_pkey PRIMARY KEY (ecpd_id, job_id),
  constraint job_check CHECK (((state = 'running'::text) = ((lease_token IS NOT NULL) AND (lease_until IS NOT NULL)))),
  constraint job_check1 CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint job_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX job_failed ON job USING btree (job_id) WHERE (state = 'failed'::text);
CREATE INDEX job_finished ON job USING btree (finished_at) WHERE (state = ANY (ARRAY['done'::text, 'failed'::text]));
CREATE UNIQUE INDEX job_key ON job USING btree (ecpd_id, kind, key) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX job_running ON job USING btree (lease_until) WHERE (state = 'running'::text);
CREATE INDEX job_turn ON job USING btree (ecpd_id, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX job_waiting ON job USING btree (due_at) WHERE (state = 'waiting'::text);

create table left_line (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  left_at timestamp with time zone not null,
  identifiers jsonb not null,
  labels jsonb not null,
  constraint left_line_pkey PRIMARY KEY (ecpd_id, account_name, device_id),
  constraint left_line_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX left_line_age ON left_line USING btree (left_at);
CREATE INDEX left_line_labels ON left_line USING gin (labels jsonb_path_ops);

create table license (
  ecpd_id text not null,
  account_name text not null,
  sku_number text not null,
  purchased integer not null,
  constraint license_pkey PRIMARY KEY (ecpd_id, account_name, sku_number),
  constraint license_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint license_purchased_check CHECK ((purchased >= 0))
);

create table license_assignment (
  ecpd_id text not null,
  account_name text not null,
  sku_number text not null,
  device_id uuid not null,
  assigned_at timestamp with time zone not null,
  constraint license_assignment_pkey PRIMARY KEY (ecpd_id, account_name, sku_number, device_id),
  constraint license_assignment_ecpd_id_account_name_sku_number_fkey FOREIGN KEY (ecpd_id, account_name, sku_number) REFERENCES license(ecpd_id, account_name, sku_number) ON DELETE CASCADE,
  constraint license_assignment_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);
CREATE INDEX license_assignment_device ON license_assignment USING btree (ecpd_id, device_id);

create table line_change (
  ecpd_id text not null,
  change_no bigint not null generated always as identity,
  account_name text not null,
  device_id uuid not null,
  at timestamp with time zone not null,
  was_state text,
  was_plan text,
  was_since timestamp with time zone,
  state text,
  plan_code text,
  constraint line_change_pkey PRIMARY KEY (ecpd_id, change_no)
);
CREATE INDEX line_change_at ON line_change USING btree (ecpd_id, at, change_no);
CREATE INDEX line_change_of_line ON line_change USING btree (ecpd_id, account_name, device_id, change_no);

create table line_equipment (
  ecpd_id text not null,
  device_id uuid not null,
  account_name text not null,
  imeisv text not null,
  seen_at timestamp with time zone not null,
  constraint line_equipment_pkey PRIMARY KEY (ecpd_id, device_id),
  constraint line_equipment_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX line_equipment_of_account ON line_equipment USING btree (ecpd_id, account_name);

create table location_entry (
  ecpd_id text not null,
  txid uuid not null,
  nth integer not null,
  device_id uuid not null,
  msid text not null,
  state text not null,
  cached boolean not null default false,
  latitude double precision,
  longitude double precision,
  radius_m double precision,
  located_at timestamp with time zone,
  error_type text,
  error_info text,
  error_at timestamp with time zone,
  denied_when_asked boolean not null default false,
  unasked boolean not null default false,
  constraint location_entry_pkey PRIMARY KEY (ecpd_id, txid, nth),
  constraint location_entry_check CHECK (((state = 'located'::text) = (located_at IS NOT NULL))),
  constraint location_entry_check1 CHECK (((state = ANY (ARRAY['failed'::text, 'absent'::text])) = ((error_type IS NOT NULL) AND (error_at IS NOT NULL)))),
  constraint location_entry_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'located'::text, 'failed'::text, 'absent'::text, 'withheld'::text]))),
  constraint location_entry_unasked_check CHECK (
CASE state
    WHEN 'withheld'::text THEN unasked
    WHEN 'absent'::text THEN true
    ELSE (NOT unasked)
END)
);
CREATE INDEX location_entry_asked ON location_entry USING btree (error_at) WHERE (state = 'absent'::text);
CREATE INDEX location_entry_device ON location_entry USING btree (ecpd_id, device_id) WHERE (state = ANY (ARRAY['located'::text, 'absent'::text]));
CREATE INDEX location_entry_unasked ON location_entry USING btree (ecpd_id, device_id, txid) WHERE unasked;
CREATE INDEX location_entry_waiting ON location_entry USING btree (ecpd_id, txid, nth) WHERE (state = 'waiting'::text);

create table location_request (
  ecpd_id text not null,
  account_name text not null,
  txid uuid not null,
  answered_by text not null,
  accuracy text not null,
  cache_mode smallint not null,
  status text not null,
  total_count integer not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  max_age_ms bigint,
  constraint location_request_pkey PRIMARY KEY (ecpd_id, account_name, txid),
  constraint location_request_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint location_request_accuracy_check CHECK ((accuracy = ANY (ARRAY['coarse'::text, 'precise'::text]))),
  constraint location_request_answered_by_check CHECK ((answered_by = ANY (ARRAY['report'::text, 'callbacks'::text]))),
  constraint location_request_cache_mode_check CHECK (((cache_mode >= 0) AND (cache_mode <= 2))),
  constraint location_request_check CHECK (((status = ANY (ARRAY['COMPLETED'::text, 'CANCELLED'::text])) = (ended_at IS NOT NULL))),
  constraint location_request_max_age_ms_check CHECK ((max_age_ms >= 0)),
  constraint location_request_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'INPROGRESS'::text, 'COMPLETED'::text, 'CANCELLED'::text]))),
  constraint location_request_total_count_check CHECK ((total_count > 0))
);
CREATE INDEX location_request_ended ON location_request USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX location_request_listing ON location_request USING btree (ecpd_id, account_name, answered_by, created_at DESC, txid DESC);
CREATE INDEX location_request_open ON location_request USING btree (ecpd_id, account_name) WHERE (ended_at IS NULL);

create table logged_call (
  ecpd_id text not null,
  call_id uuid not null,
  account_name text,
  at timestamp with time zone not null,
  request_id text not null,
  operation text,
  method text not null,
  path text not null,
  status smallint,
  duration_ms real not null,
  caller_kind text,
  caller text,
  request text,
  answer text,
  reason jsonb,
  injected jsonb,
  located jsonb,
  constraint logged_call_pkey PRIMARY KEY (ecpd_id, call_id)
);
CREATE INDEX logged_call_newest ON logged_call USING btree (call_id);

create table login_allowance (
  key text not null,
  full_at timestamp with time zone not null,
  constraint login_allowance_pkey PRIMARY KEY (key)
);
CREATE INDEX login_allowance_full ON login_allowance USING btree (full_at);

create table login_failure (
  username text not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  place text not null,
  constraint login_failure_pkey PRIMARY KEY (username, place),
  constraint login_failure_place_check CHECK ((place = ANY (ARRAY['api'::text, 'console'::text])))
);
CREATE INDEX login_failure_at ON login_failure USING btree (failed_at);

create table managed_account (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  paccount_name text not null,
  sku_name text not null,
  state text not null,
  txid uuid not null,
  updated_at timestamp with time zone not null,
  added_txid uuid,
  constraint managed_account_pkey PRIMARY KEY (ecpd_id, account_name, service_name, paccount_name),
  constraint managed_account_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint managed_account_ecpd_id_paccount_name_fkey FOREIGN KEY (ecpd_id, paccount_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint managed_account_check CHECK ((account_name <> paccount_name)),
  constraint managed_account_state_check CHECK ((state = ANY (ARRAY['added'::text, 'provisioned'::text, 'cancelled'::text])))
);
CREATE INDEX managed_account_primary ON managed_account USING btree (ecpd_id, paccount_name, service_name, account_name);
CREATE UNIQUE INDEX managed_account_provisioned ON managed_account USING btree (ecpd_id, account_name, service_name) WHERE (state = 'provisioned'::text);

create table managed_period (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null default 'infinity'::timestamp with time zone,
  paccount_name text not null,
  constraint managed_period_pkey PRIMARY KEY (ecpd_id, account_name, service_name, from_at),
  constraint managed_period_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint managed_period_ecpd_id_paccount_name_fkey FOREIGN KEY (ecpd_id, paccount_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint managed_period_check CHECK ((to_at >= from_at))
);
CREATE INDEX managed_period_primary ON managed_period USING btree (ecpd_id, paccount_name);

create table network_check (
  ecpd_id text not null,
  check_id uuid not null,
  account_name text not null,
  repair boolean not null,
  lines integer not null,
  checked integer not null default 0,
  differences integer not null default 0,
  unanswered integer not null default 0,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  failed boolean not null default false,
  silent text[] not null default '{}'::text[],
  skipped integer not null default 0,
  constraint network_check_pkey PRIMARY KEY (ecpd_id, check_id, account_name),
  constraint network_check_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint network_check_check CHECK (((NOT failed) OR (ended_at IS NOT NULL))),
  constraint network_check_checked_check CHECK ((checked >= 0)),
  constraint network_check_differences_check CHECK ((differences >= 0)),
  constraint network_check_lines_check CHECK ((lines >= 0)),
  constraint network_check_skipped_check CHECK ((skipped >= 0)),
  constraint network_check_unanswered_check CHECK ((unanswered >= 0))
);
CREATE INDEX network_check_by_id ON network_check USING btree (check_id);
CREATE INDEX network_check_created ON network_check USING btree (created_at);

create table network_difference (
  ecpd_id text not null,
  element text not null,
  imsi text not null,
  account_name text not null,
  device_id uuid not null,
  here text not null,
  there text not null,
  since timestamp with time zone not null,
  constraint network_difference_pkey PRIMARY KEY (ecpd_id, element, imsi)
);
CREATE INDEX network_difference_listed ON network_difference USING btree (element, imsi, ecpd_id);
CREATE INDEX network_difference_of_account ON network_difference USING btree (ecpd_id, account_name);

create table network_element (
  element text not null,
  paused_at timestamp with time zone,
  paused_by text,
  silent_since timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  constraint network_element_pkey PRIMARY KEY (element),
  constraint network_element_check CHECK (((paused_at IS NULL) = (paused_by IS NULL))),
  constraint network_element_check1 CHECK (((last_error IS NULL) = (last_error_at IS NULL)))
);

create table network_feed (
  feed text not null,
  paused_at timestamp with time zone,
  paused_by text,
  last_error text,
  last_error_at timestamp with time zone,
  constraint network_feed_pkey PRIMARY KEY (feed),
  constraint network_feed_check CHECK (((paused_at IS NULL) = (paused_by IS NULL))),
  constraint network_feed_check1 CHECK (((last_error IS NULL) = (last_error_at IS NULL)))
);

create table network_feed_report (
  feed text not null,
  reporter uuid not null,
  backlog bigint not null,
  oldest_at timestamp with time zone,
  rate double precision not null,
  accepted bigint not null,
  duplicates bigint not null,
  rejected bigint not null,
  busy_with text,
  noted_at timestamp with time zone not null,
  problem text,
  constraint network_feed_report_pkey PRIMARY KEY (feed, reporter)
);

create table network_lane (
  ecpd_id text not null,
  element text not null,
  lease_token uuid not null,
  leased_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone not null,
  constraint network_lane_pkey PRIMARY KEY (ecpd_id, element)
);

create table network_order (
  ecpd_id text not null,
  order_id uuid not null,
  account_name text not null,
  device_id uuid not null,
  element text not null,
  imsi text not null,
  nr bigint not null,
  msisdn text,
  imei text,
  iccid text,
  wanted text not null,
  plan text,
  cause text not null,
  change_id uuid,
  state text not null,
  attempts integer not null default 0,
  reason text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  move_nr integer not null default 0,
  request_id uuid,
  kept boolean not null default false,
  constraint network_order_pkey PRIMARY KEY (ecpd_id, order_id),
  constraint network_order_ecpd_id_change_id_device_id_element_key UNIQUE (ecpd_id, change_id, device_id, element),
  constraint network_order_ecpd_id_element_imsi_nr_key UNIQUE (ecpd_id, element, imsi, nr),
  constraint network_order_cause_check CHECK ((cause = ANY (ARRAY['request'::text, 'resume'::text, 'follow'::text, 'back'::text, 'repair'::text]))),
  constraint network_order_check CHECK (((change_id IS NOT NULL) = (cause = ANY (ARRAY['request'::text, 'resume'::text])))),
  constraint network_order_check1 CHECK (((due_at IS NOT NULL) = (state = ANY (ARRAY['waiting'::text, 'taken'::text])))),
  constraint network_order_check2 CHECK (((closed_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'taken'::text])))),
  constraint network_order_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'taken'::text, 'done'::text, 'refused'::text, 'failed'::text, 'replaced'::text]))),
  constraint network_order_wanted_check CHECK ((wanted = ANY (ARRAY['active'::text, 'suspended'::text, 'gone'::text])))
);
CREATE INDEX network_order_by_id ON network_order USING btree (order_id);
CREATE INDEX network_order_closed ON network_order USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (NOT kept));
CREATE INDEX network_order_due ON network_order USING btree (ecpd_id, element, due_at, order_id) WHERE (closed_at IS NULL);
CREATE INDEX network_order_of_line ON network_order USING btree (ecpd_id, device_id);
CREATE INDEX network_order_unfollowed ON network_order USING btree (ecpd_id, request_id) WHERE ((request_id IS NOT NULL) AND (state = ANY (ARRAY['refused'::text, 'failed'::text])));

create table node (
  node_id uuid not null,
  role text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  status jsonb,
  constraint node_pkey PRIMARY KEY (node_id),
  constraint node_role_check CHECK ((role = ANY (ARRAY['all'::text, 'api'::text, 'worker'::text])))
);

create table notification (
  ecpd_id text not null,
  notification_id uuid not null,
  account_name text not null,
  channel text not null,
  dedupe_key text not null,
  trigger_id text,
  subject text,
  body text not null,
  created_at timestamp with time zone not null,
  trace text,
  caller_request_id text,
  constraint notification_pkey PRIMARY KEY (ecpd_id, notification_id),
  constraint notification_ecpd_id_channel_dedupe_key_key UNIQUE (ecpd_id, channel, dedupe_key),
  constraint notification_caller_request_id_check CHECK (((length(caller_request_id) >= 1) AND (length(caller_request_id) <= 64))),
  constraint notification_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'sms'::text])))
);
CREATE INDEX notification_account ON notification USING btree (ecpd_id, account_name, channel, created_at, notification_id);
CREATE INDEX notification_newest ON notification USING btree (channel, created_at, notification_id);
CREATE INDEX notification_trigger ON notification USING btree (trigger_id, channel, created_at, notification_id) WHERE (trigger_id IS NOT NULL);

create table notification_group (
  ecpd_id text not null,
  name text not null,
  emails text[] not null,
  phones text[] not null,
  constraint notification_group_pkey PRIMARY KEY (ecpd_id, name),
  constraint notification_group_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE,
  constraint notification_group_name_check CHECK ((name IS NFC NORMALIZED))
);

create table notification_lane (
  ecpd_id text not null,
  channel text not null,
  lease_token uuid not null,
  leased_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone not null,
  constraint notification_lane_pkey PRIMARY KEY (ecpd_id, channel)
);

create table notification_recipient (
  ecpd_id text not null,
  notification_id uuid not null,
  "position" smallint not null,
  channel text not null,
  recipient text not null,
  state text not null,
  attempts smallint not null,
  posted_at timestamp with time zone not null,
  due_at timestamp with time zone,
  tried_at timestamp with time zone,
  reason text,
  move_nr integer not null default 0,
  constraint notification_recipient_pkey PRIMARY KEY (ecpd_id, notification_id, "position"),
  constraint notification_recipient_ecpd_id_notification_id_fkey FOREIGN KEY (ecpd_id, notification_id) REFERENCES notification(ecpd_id, notification_id) ON DELETE CASCADE,
  constraint notification_recipient_check CHECK (((due_at IS NOT NULL) = (state = 'waiting'::text))),
  constraint notification_recipient_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'captured'::text, 'failed'::text])))
);
CREATE INDEX notification_recipient_due ON notification_recipient USING btree (ecpd_id, channel, due_at, notification_id, "position") WHERE (state = 'waiting'::text);

create table operator_key (
  name text not null,
  key_hash text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint operator_key_pkey PRIMARY KEY (name),
  constraint operator_key_key_hash_key UNIQUE (key_hash)
);

create table past_line (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  coarse boolean not null,
  precise boolean not null,
  left_at timestamp with time zone not null,
  now_ecpd_id text not null,
  now_account_name text not null,
  now_device_id uuid not null,
  constraint past_line_pkey PRIMARY KEY (ecpd_id, account_name, device_id),
  constraint past_line_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX past_line_left ON past_line USING btree (left_at);
CREATE INDEX past_line_now ON past_line USING btree (now_ecpd_id, now_account_name, now_device_id);

create table plan (
  code text not null,
  carrier_service_plan_code text not null,
  name text not null,
  kind text not null,
  allowance_bytes bigint,
  rate_per_mb numeric(18,6),
  fixed_location boolean not null,
  models text[],
  suspend_with_billing boolean not null,
  throttle_at_percent integer,
  constraint plan_pkey PRIMARY KEY (code),
  constraint plan_allowance_bytes_check CHECK ((allowance_bytes >= 0)),
  constraint plan_kind_check CHECK ((kind = ANY (ARRAY['payAsYouGo'::text, 'share'::text, 'unlimited'::text]))),
  constraint plan_rate_per_mb_check CHECK ((rate_per_mb >= (0)::numeric)),
  constraint plan_throttle_at_percent_check CHECK (((throttle_at_percent >= 1) AND (throttle_at_percent <= 1000)))
);
CREATE INDEX plan_carrier_code ON plan USING btree (carrier_service_plan_code);

create table plan_change_place (
  ecpd_id text not null,
  request_id uuid not null,
  named_by text not null,
  place jsonb not null,
  constraint plan_change_place_pkey PRIMARY KEY (ecpd_id, request_id, named_by),
  constraint plan_change_place_ecpd_id_request_id_fkey FOREIGN KEY (ecpd_id, request_id) REFERENCES carrier_request(ecpd_id, request_id) ON DELETE CASCADE
);

create table position_history (
  ecpd_id text not null,
  device_id uuid not null,
  at timestamp with time zone not null,
  accuracy text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m double precision not null,
  constraint position_history_pkey PRIMARY KEY (ecpd_id, device_id, at),
  constraint position_history_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint position_history_accuracy_check CHECK ((accuracy = ANY (ARRAY['coarse'::text, 'precise'::text]))),
  constraint position_history_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint position_history_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint position_history_radius_m_check CHECK ((radius_m >= (0)::double precision))
);
CREATE INDEX position_history_at ON position_history USING btree (at);

create table position_news (
  ecpd_id text not null,
  account_name text not null,
  times bigint not null,
  constraint position_news_pkey PRIMARY KEY (ecpd_id, account_name)
);

create table position_source (
  source text not null,
  silent_since timestamp with time zone,
  last_error text not null,
  last_error_at timestamp with time zone not null,
  constraint position_source_pkey PRIMARY KEY (source)
);

create table price_plan_aged (
  ecpd_id text not null,
  device_id uuid not null,
  trigger_id uuid not null,
  bill_cycles integer not null,
  since timestamp with time zone not null,
  constraint price_plan_aged_pkey PRIMARY KEY (ecpd_id, device_id, trigger_id, bill_cycles),
  constraint price_plan_aged_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint price_plan_aged_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE
);
CREATE INDEX price_plan_aged_of_trigger ON price_plan_aged USING btree (ecpd_id, trigger_id);

create table price_plan_behind (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  plan_code text not null,
  cycle text not null,
  from_day date not null,
  trigger_id uuid not null,
  level_kind text not null,
  level bigint not null,
  constraint price_plan_behind_pkey PRIMARY KEY (ecpd_id, account_name, device_id, plan_code, cycle, from_day, trigger_id, level_kind, level),
  constraint price_plan_behind_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_behind_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE
);
CREATE INDEX price_plan_behind_of_trigger ON price_plan_behind USING btree (ecpd_id, trigger_id);

create table price_plan_closing (
  ecpd_id text not null,
  trigger_id uuid not null,
  account_name text not null,
  cycle text not null,
  closes_at timestamp with time zone not null,
  judged_to uuid,
  done_at timestamp with time zone,
  opens_at timestamp with time zone not null,
  constraint price_plan_closing_pkey PRIMARY KEY (ecpd_id, trigger_id, account_name, cycle, opens_at),
  constraint price_plan_closing_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_closing_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE,
  constraint price_plan_closing_cycle_check CHECK ((cycle = ANY (ARRAY['Daily'::text, 'Weekly'::text, 'Monthly'::text])))
);
CREATE INDEX price_plan_closing_done ON price_plan_closing USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX price_plan_closing_due ON price_plan_closing USING btree (ecpd_id, closes_at) WHERE (done_at IS NULL);
CREATE INDEX price_plan_closing_of_account ON price_plan_closing USING btree (ecpd_id, account_name);
CREATE UNIQUE INDEX price_plan_closing_open ON price_plan_closing USING btree (ecpd_id, trigger_id, account_name, cycle) WHERE (done_at IS NULL);

create table price_plan_leader (
  ecpd_id text not null,
  trigger_id uuid not null,
  subject text not null,
  cycle text not null,
  holds_from timestamp with time zone not null,
  account_name text not null,
  constraint price_plan_leader_pkey PRIMARY KEY (ecpd_id, trigger_id, subject, cycle, holds_from),
  constraint price_plan_leader_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_leader_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE,
  constraint price_plan_leader_cycle_check CHECK ((cycle = ANY (ARRAY['Daily'::text, 'Weekly'::text, 'Monthly'::text])))
);

create table price_plan_level (
  ecpd_id text not null,
  account_name text not null,
  plan_code text not null,
  cycle text not null,
  scope text not null,
  beyond_bytes bigint not null,
  trigger_id uuid not null,
  level_kind text not null,
  level bigint not null,
  on_passing boolean not null,
  constraint price_plan_level_pkey PRIMARY KEY (ecpd_id, account_name, plan_code, cycle, scope, beyond_bytes, trigger_id, level_kind, level),
  constraint price_plan_level_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_level_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE,
  constraint price_plan_level_cycle_check CHECK ((cycle = ANY (ARRAY['Daily'::text, 'Weekly'::text, 'Monthly'::text]))),
  constraint price_plan_level_scope_check CHECK ((scope = ANY (ARRAY['device'::text, 'account'::text])))
);
CREATE INDEX price_plan_level_of_trigger ON price_plan_level USING btree (ecpd_id, trigger_id);

create table price_plan_reminder (
  ecpd_id text not null,
  notice_id uuid not null,
  trigger_id uuid not null,
  fired_at timestamp with time zone not null,
  sent integer not null,
  constraint price_plan_reminder_pkey PRIMARY KEY (ecpd_id, notice_id),
  constraint price_plan_reminder_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE
);

create table price_plan_reminder_firing (
  ecpd_id text not null,
  notice_id uuid not null,
  nth integer not null,
  firing_id uuid not null,
  account_name text not null,
  subject text not null,
  ends_at timestamp with time zone not null,
  constraint price_plan_reminder_firing_pkey PRIMARY KEY (ecpd_id, notice_id, nth),
  constraint price_plan_reminder_firing_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_reminder_firing_ecpd_id_notice_id_fkey FOREIGN KEY (ecpd_id, notice_id) REFERENCES price_plan_reminder(ecpd_id, notice_id) ON DELETE CASCADE
);

create table price_plan_sum (
  ecpd_id text not null,
  account_name text not null,
  plan_code text not null,
  cycle text not null,
  trigger_id uuid not null,
  subject text not null,
  cycle_account text not null,
  constraint price_plan_sum_pkey PRIMARY KEY (ecpd_id, account_name, plan_code, cycle, trigger_id, subject),
  constraint price_plan_sum_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_sum_ecpd_id_cycle_account_fkey FOREIGN KEY (ecpd_id, cycle_account) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint price_plan_sum_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE,
  constraint price_plan_sum_cycle_check CHECK ((cycle = ANY (ARRAY['Daily'::text, 'Weekly'::text, 'Monthly'::text])))
);
CREATE INDEX price_plan_sum_of_trigger ON price_plan_sum USING btree (ecpd_id, trigger_id, subject);

create table price_plan_sum_level (
  ecpd_id text not null,
  trigger_id uuid not null,
  subject text not null,
  level_kind text not null,
  level bigint not null,
  beyond_bytes bigint,
  on_passing boolean not null,
  constraint price_plan_sum_level_pkey PRIMARY KEY (ecpd_id, trigger_id, subject, level_kind, level),
  constraint price_plan_sum_level_ecpd_id_trigger_id_fkey FOREIGN KEY (ecpd_id, trigger_id) REFERENCES price_plan_trigger(ecpd_id, trigger_id) ON DELETE CASCADE
);

create table price_plan_summary (
  ecpd_id text not null,
  trigger_id uuid not null,
  constraint price_plan_summary_pkey PRIMARY KEY (ecpd_id, trigger_id),
  constraint price_plan_summary_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE
);

create table price_plan_summary_entry (
  ecpd_id text not null,
  trigger_id uuid not null,
  day date not null,
  nth bigint not null generated always as identity,
  firing_id uuid not null,
  account_name text not null,
  subject text not null,
  constraint price_plan_summary_entry_pkey PRIMARY KEY (ecpd_id, trigger_id, day, nth),
  constraint price_plan_summary_entry_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);

create table price_plan_throttled (
  ecpd_id text not null,
  subject text not null,
  plan_code text not null,
  account_name text not null,
  from_day date not null,
  constraint price_plan_throttled_pkey PRIMARY KEY (ecpd_id, subject, plan_code, account_name, from_day),
  constraint price_plan_throttled_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX price_plan_throttled_from_day ON price_plan_throttled USING btree (from_day);

create table price_plan_trigger (
  ecpd_id text not null,
  trigger_id uuid not null,
  trigger_name text not null,
  active boolean not null,
  version integer not null,
  body jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint price_plan_trigger_pkey PRIMARY KEY (ecpd_id, trigger_id),
  constraint price_plan_trigger_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE
);
CREATE INDEX price_plan_trigger_name ON price_plan_trigger USING btree (ecpd_id, trigger_name);

create table price_plan_trigger_version (
  ecpd_id text not null,
  trigger_id uuid not null,
  version integer not null,
  trigger_name text not null,
  active boolean not null,
  body jsonb not null,
  written_at timestamp with time zone not null,
  written_by text,
  constraint price_plan_trigger_version_pkey PRIMARY KEY (ecpd_id, trigger_id, version),
  constraint price_plan_trigger_version_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE
);

create table profile (
  ecpd_id text not null,
  foreign_id uuid not null,
  constraint profile_pkey PRIMARY KEY (ecpd_id)
);

create table radio_area (
  mcc integer not null,
  net integer not null,
  area bigint not null,
  radio text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m double precision not null,
  constraint radio_area_pkey PRIMARY KEY (mcc, net, area, radio)
);

create table radio_cell (
  mcc integer not null,
  net integer not null,
  cell bigint not null,
  area bigint not null,
  radio text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m double precision not null,
  constraint radio_cell_pkey PRIMARY KEY (mcc, net, cell, area, radio)
);

create table rate_plan_group (
  ecpd_id text not null,
  rate_plan_group_id bigint not null,
  constraint rate_plan_group_pkey PRIMARY KEY (ecpd_id, rate_plan_group_id),
  constraint rate_plan_group_ecpd_id_fkey FOREIGN KEY (ecpd_id) REFERENCES profile(ecpd_id) ON DELETE CASCADE
);

create table rate_plan_group_account (
  ecpd_id text not null,
  rate_plan_group_id bigint not null,
  account_name text not null,
  constraint rate_plan_group_account_pkey PRIMARY KEY (ecpd_id, rate_plan_group_id, account_name),
  constraint rate_plan_group_account_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint rate_plan_group_account_ecpd_id_rate_plan_group_id_fkey FOREIGN KEY (ecpd_id, rate_plan_group_id) REFERENCES rate_plan_group(ecpd_id, rate_plan_group_id) ON DELETE CASCADE
);
CREATE INDEX rate_plan_group_account_name ON rate_plan_group_account USING btree (ecpd_id, account_name);

create table rate_plan_group_plan (
  ecpd_id text not null,
  rate_plan_group_id bigint not null,
  plan_code text not null,
  "position" integer not null,
  constraint rate_plan_group_plan_pkey PRIMARY KEY (ecpd_id, rate_plan_group_id, plan_code),
  constraint rate_plan_group_plan_ecpd_id_rate_plan_group_id_fkey FOREIGN KEY (ecpd_id, rate_plan_group_id) REFERENCES rate_plan_group(ecpd_id, rate_plan_group_id) ON DELETE CASCADE,
  constraint rate_plan_group_plan_plan_code_fkey FOREIGN KEY (plan_code) REFERENCES plan(code)
);

create table recorded_account (
  ecpd_id text not null,
  account_name text not null,
  until timestamp with time zone not null,
  erased_at timestamp with time zone,
  constraint recorded_account_pkey PRIMARY KEY (ecpd_id, account_name)
);

create table rule (
  ecpd_id text not null,
  account_name text not null,
  rule_id uuid not null,
  device_id uuid not null,
  record jsonb not null,
  foreign_id uuid not null,
  created_on timestamp with time zone not null,
  last_updated timestamp with time zone not null,
  version bigint not null,
  version_id uuid not null,
  constraint rule_pkey PRIMARY KEY (ecpd_id, rule_id),
  constraint rule_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint rule_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE
);
CREATE INDEX rule_created ON rule USING btree (ecpd_id, account_name, created_on);
CREATE INDEX rule_of_account ON rule USING btree (ecpd_id, account_name, rule_id);
CREATE INDEX rule_of_device ON rule USING btree (ecpd_id, device_id);
CREATE INDEX rule_record ON rule USING gin (record jsonb_path_ops);
CREATE INDEX rule_updated ON rule USING btree (ecpd_id, account_name, last_updated);
CREATE INDEX rule_version ON rule USING btree (ecpd_id, account_name, version, rule_id);
CREATE INDEX rule_version_id ON rule USING btree (ecpd_id, version_id);

create table rule_change (
  ecpd_id text not null,
  change_id bigint not null generated always as identity,
  account_name text not null,
  rule_id uuid not null,
  device_id uuid not null,
  constraint rule_change_pkey PRIMARY KEY (ecpd_id, change_id)
);

create table rule_state (
  ecpd_id text not null,
  rule_id uuid not null,
  device_id uuid not null,
  version_id uuid not null,
  since timestamp with time zone not null,
  true_since timestamp with time zone,
  rests_until timestamp with time zone,
  alert_id uuid,
  cause text,
  due_at timestamp with time zone,
  move_nr integer not null default 0,
  constraint rule_state_pkey PRIMARY KEY (ecpd_id, rule_id),
  constraint rule_state_ecpd_id_device_id_fkey FOREIGN KEY (ecpd_id, device_id) REFERENCES device(ecpd_id, device_id) ON DELETE CASCADE,
  constraint rule_state_cause_check CHECK ((cause = ANY (ARRAY['condition'::text, 'absence'::text]))),
  constraint rule_state_check CHECK (((alert_id IS NULL) = (cause IS NULL)))
);
CREATE INDEX rule_state_due ON rule_state USING btree (due_at, ecpd_id) WHERE (due_at IS NOT NULL);
CREATE INDEX rule_state_of_device ON rule_state USING btree (ecpd_id, device_id);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table service_billed_day (
  ecpd_id text not null,
  billed_to text not null,
  service_name text not null,
  day date not null,
  account_name text not null,
  transactions bigint not null,
  constraint service_billed_day_pkey PRIMARY KEY (ecpd_id, billed_to, service_name, day, account_name),
  constraint service_billed_day_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text]))),
  constraint service_billed_day_transactions_check CHECK ((transactions >= 0))
);

create table service_day (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  day date not null,
  transactions bigint not null,
  constraint service_day_pkey PRIMARY KEY (ecpd_id, account_name, service_name, day),
  constraint service_day_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text]))),
  constraint service_day_transactions_check CHECK ((transactions >= 0))
);

create table service_limit (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  constraint service_limit_pkey PRIMARY KEY (ecpd_id, account_name, service_name),
  constraint service_limit_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint service_limit_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text])))
);

create table service_month (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  month text not null,
  transactions bigint not null,
  own_transactions bigint not null,
  constraint service_month_pkey PRIMARY KEY (ecpd_id, account_name, service_name, month),
  constraint service_month_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text)),
  constraint service_month_own_transactions_check CHECK ((own_transactions >= 0)),
  constraint service_month_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text]))),
  constraint service_month_transactions_check CHECK ((transactions >= 0))
);

create table service_month_line (
  ecpd_id text not null,
  billed_to text not null,
  service_name text not null,
  month text not null,
  account_name text not null,
  transactions bigint not null,
  constraint service_month_line_pkey PRIMARY KEY (ecpd_id, billed_to, service_name, month, account_name),
  constraint service_month_line_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text)),
  constraint service_month_line_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text]))),
  constraint service_month_line_transactions_check CHECK ((transactions >= 0))
);

create table service_transaction (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  request_ref text not null,
  device_id uuid not null,
  at timestamp with time zone not null,
  billed_to text not null,
  day date not null,
  billed_day date not null,
  constraint service_transaction_pkey PRIMARY KEY (ecpd_id, account_name, service_name, request_ref, device_id),
  constraint service_transaction_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text])))
);
CREATE INDEX service_transaction_at ON service_transaction USING btree (at);
CREATE INDEX service_transaction_billed ON service_transaction USING btree (ecpd_id, billed_to, service_name, billed_day);

create table serviceable_zip (
  zip text not null,
  constraint serviceable_zip_pkey PRIMARY KEY (zip),
  constraint serviceable_zip_zip_check CHECK ((zip ~ '^[0-9]{5}$'::text))
);

create table session (
  token_hash text not null,
  username text not null,
  client_id text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_username_fkey FOREIGN KEY (username) REFERENCES ws_user(username) ON DELETE CASCADE
);
CREATE INDEX session_last_used ON session USING btree (last_used_at);
CREATE INDEX session_of_user ON session USING btree (username) WHERE (ended_at IS NULL);

create table simulated_network (
  only_row boolean not null default true,
  condition text not null,
  constraint simulated_network_pkey PRIMARY KEY (only_row),
  constraint simulated_network_condition_check CHECK ((condition = ANY (ARRAY['normal'::text, 'refusing'::text, 'unreachable'::text]))),
  constraint simulated_network_only_row_check CHECK (only_row)
);

create table simulated_orders (
  only_row boolean not null default true,
  delay_ms integer not null,
  refusal text,
  silent boolean not null,
  constraint simulated_orders_pkey PRIMARY KEY (only_row),
  constraint simulated_orders_only_row_check CHECK (only_row)
);

create table smart_alert (
  ecpd_id text not null,
  account_name text not null,
  alert_id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  device_id uuid not null,
  cause text not null,
  message text not null,
  reading jsonb not null,
  raised_at timestamp with time zone not null,
  cleared_at timestamp with time zone,
  cleared_because text,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  foreign_id uuid not null,
  created_on timestamp with time zone not null,
  last_updated timestamp with time zone not null,
  version bigint not null,
  version_id uuid not null,
  compared jsonb not null default '[]'::jsonb,
  constraint smart_alert_pkey PRIMARY KEY (ecpd_id, alert_id),
  constraint smart_alert_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint smart_alert_cause_check CHECK ((cause = ANY (ARRAY['condition'::text, 'absence'::text]))),
  constraint smart_alert_check CHECK (((cleared_at IS NULL) = (cleared_because IS NULL))),
  constraint smart_alert_check1 CHECK (((acknowledged_at IS NULL) = (acknowledged_by IS NULL)))
);
CREATE INDEX smart_alert_cleared ON smart_alert USING btree (cleared_at) WHERE (cleared_at IS NOT NULL);
CREATE INDEX smart_alert_of_account ON smart_alert USING btree (ecpd_id, account_name, alert_id);
CREATE INDEX smart_alert_of_device ON smart_alert USING btree (ecpd_id, account_name, device_id, alert_id);
CREATE INDEX smart_alert_of_rule ON smart_alert USING btree (ecpd_id, account_name, rule_id, alert_id);
CREATE UNIQUE INDEX smart_alert_open ON smart_alert USING btree (ecpd_id, rule_id) WHERE (cleared_at IS NULL);

create table subscription (
  ecpd_id text not null,
  account_name text not null,
  service_name text not null,
  sku_name text not null,
  since date not null,
  allowance bigint,
  constraint subscription_pkey PRIMARY KEY (ecpd_id, account_name, service_name),
  constraint subscription_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint subscription_allowance_check CHECK ((allowance >= 0)),
  constraint subscription_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text])))
);

create table trigger_action (
  ecpd_id text not null,
  action_id uuid not null,
  account_name text not null,
  seq bigint not null generated always as identity,
  trigger_id uuid not null,
  kind text not null,
  params jsonb not null,
  device_count integer not null,
  device_ids uuid[] not null,
  state text not null,
  reason text,
  request_ids uuid[] not null default '{}'::uuid[],
  succeeded integer not null default 0,
  failed integer not null default 0,
  approvable_to timestamp with time zone not null,
  judgement text,
  judged_by text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  chain_id uuid,
  dropped boolean not null default false,
  ends_as text,
  constraint trigger_action_pkey PRIMARY KEY (ecpd_id, action_id),
  constraint trigger_action_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint trigger_action_check CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text, 'awaitingApproval'::text])))),
  constraint trigger_action_ends_as_check CHECK ((ends_as = ANY (ARRAY['failed'::text, 'expired'::text]))),
  constraint trigger_action_judgement_check CHECK ((judgement = ANY (ARRAY['approved'::text, 'rejected'::text]))),
  constraint trigger_action_kind_check CHECK ((kind = ANY (ARRAY['suspend'::text, 'changePlan'::text]))),
  constraint trigger_action_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'awaitingApproval'::text, 'done'::text, 'failed'::text, 'skipped'::text, 'dropped'::text, 'expired'::text])))
);
CREATE INDEX trigger_action_asked ON trigger_action USING btree (ecpd_id, approvable_to) WHERE (state = 'awaitingApproval'::text);
CREATE INDEX trigger_action_asked_of ON trigger_action USING btree (ecpd_id, account_name, approvable_to, action_id) WHERE (state = 'awaitingApproval'::text);
CREATE INDEX trigger_action_created ON trigger_action USING btree (created_at);
CREATE INDEX trigger_action_open ON trigger_action USING btree (ecpd_id, trigger_id) WHERE (ended_at IS NULL);

create table trigger_action_line (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  seq bigint not null,
  action_id uuid not null,
  request_id uuid,
  constraint trigger_action_line_pkey PRIMARY KEY (ecpd_id, account_name, device_id, seq),
  constraint trigger_action_line_ecpd_id_action_id_fkey FOREIGN KEY (ecpd_id, action_id) REFERENCES trigger_action(ecpd_id, action_id) ON DELETE CASCADE
);
CREATE INDEX trigger_action_line_of_action ON trigger_action_line USING btree (ecpd_id, action_id);
CREATE INDEX trigger_action_line_of_request ON trigger_action_line USING btree (ecpd_id, request_id) WHERE (request_id IS NOT NULL);

create table trigger_chain_line (
  ecpd_id text not null,
  chain_id uuid not null,
  device_id uuid not null,
  changed_at timestamp with time zone not null,
  constraint trigger_chain_line_pkey PRIMARY KEY (ecpd_id, chain_id, device_id)
);
CREATE INDEX trigger_chain_line_age ON trigger_chain_line USING btree (changed_at);

create table trigger_lane (
  ecpd_id text not null,
  account_name text not null,
  constraint trigger_lane_pkey PRIMARY KEY (ecpd_id, account_name),
  constraint trigger_lane_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);

create table usage_account_day (
  ecpd_id text not null,
  account_name text not null,
  day date not null,
  plan_code text not null,
  bytes bigint not null,
  constraint usage_account_day_pkey PRIMARY KEY (ecpd_id, account_name, day, plan_code)
);

create table usage_batch (
  ecpd_id text not null,
  batch_no bigint not null generated always as identity,
  place bigint not null generated always as identity,
  taken_at timestamp with time zone not null,
  lines_seen bigint not null,
  constraint usage_batch_pkey PRIMARY KEY (ecpd_id, batch_no)
);
CREATE INDEX usage_batch_taken ON usage_batch USING btree (ecpd_id, taken_at, place);

create table usage_bill_day (
  ecpd_id text not null,
  account_name text not null,
  day date not null,
  plan_code text not null,
  apn text not null,
  rating_group text not null,
  country_code text not null,
  delayed boolean not null,
  bytes bigint not null,
  charged_bytes bigint not null,
  charge_amount numeric not null,
  constraint usage_bill_day_pkey PRIMARY KEY (ecpd_id, account_name, day, plan_code, apn, rating_group, country_code, delayed),
  constraint usage_bill_day_check CHECK (((charged_bytes >= 0) AND (charged_bytes <= bytes)))
);

create table usage_device_month (
  ecpd_id text not null,
  account_name text not null,
  device_id uuid not null,
  month date not null,
  plan_code text not null,
  day_bytes bigint[] not null,
  constraint usage_device_month_pkey PRIMARY KEY (ecpd_id, account_name, device_id, month, plan_code),
  constraint usage_device_month_day_bytes_check CHECK ((cardinality(day_bytes) = 31))
);

create table usage_file (
  folder text not null,
  name text not null,
  bytes bigint not null,
  modified_at timestamp with time zone not null,
  content_hash text,
  state text not null,
  reason text,
  lines bigint not null default 0,
  accepted bigint not null default 0,
  duplicates bigint not null default 0,
  rejected bigint not null default 0,
  reject_bytes bigint not null default 0,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  lease_token uuid not null,
  lease_until timestamp with time zone not null,
  changed_at timestamp with time zone,
  content_bytes bigint,
  head_hash text,
  within_hash text,
  within_lines bigint,
  constraint usage_file_pkey PRIMARY KEY (folder, name, bytes, modified_at),
  constraint usage_file_check CHECK (((reason IS NOT NULL) = (state = 'failed'::text))),
  constraint usage_file_check1 CHECK (((ended_at IS NOT NULL) = (state <> 'taking'::text))),
  constraint usage_file_state_check CHECK ((state = ANY (ARRAY['taking'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX usage_file_head ON usage_file USING btree (head_hash, begun_at DESC) WHERE (head_hash IS NOT NULL);
CREATE INDEX usage_file_newest ON usage_file USING btree (folder, begun_at DESC);

create table usage_file_mark (
  folder text not null,
  name text not null,
  bytes bigint not null,
  modified_at timestamp with time zone not null,
  first_line bigint not null,
  marks bytea not null,
  constraint usage_file_mark_pkey PRIMARY KEY (folder, name, bytes, modified_at, first_line),
  constraint usage_file_mark_folder_name_bytes_modified_at_fkey FOREIGN KEY (folder, name, bytes, modified_at) REFERENCES usage_file(folder, name, bytes, modified_at) ON DELETE CASCADE
);

create table usage_ledger_start (
  ecpd_id text not null,
  starts_on date not null,
  constraint usage_ledger_start_pkey PRIMARY KEY (ecpd_id)
);

create table usage_move (
  ecpd_id text not null,
  account_name text not null,
  batch_no bigint not null,
  device_id uuid not null,
  since timestamp with time zone not null,
  moved_at timestamp with time zone not null,
  has_left boolean not null default false,
  constraint usage_move_pkey PRIMARY KEY (ecpd_id, account_name, batch_no, device_id)
);
CREATE INDEX usage_move_at ON usage_move USING btree (ecpd_id, moved_at);

create table usage_moved_record (
  ecpd_id text not null,
  record_id text not null,
  batch_no bigint not null,
  account_name text not null,
  device_id uuid not null,
  day date not null,
  bytes bigint not null,
  from_plan text not null,
  to_plan text not null,
  moved_at timestamp with time zone not null,
  constraint usage_moved_record_pkey PRIMARY KEY (ecpd_id, record_id, batch_no)
);
CREATE INDEX usage_moved_record_day ON usage_moved_record USING btree (ecpd_id, account_name, day);

create table usage_record (
  ecpd_id text not null,
  record_id text not null,
  account_name text not null,
  device_id uuid not null,
  at timestamp with time zone not null,
  day date not null,
  bytes bigint not null,
  apn text,
  rating_group text,
  country_code text,
  charge_amount numeric,
  service_name text,
  plan_code text,
  delayed boolean not null,
  taken_at timestamp with time zone not null,
  batch_no bigint not null,
  nth smallint not null,
  constraint usage_record_pkey PRIMARY KEY (ecpd_id, account_name, day, device_id, batch_no, nth),
  constraint usage_record_bytes_check CHECK ((bytes >= 0))
) partition by RANGE (day);
create table usage_record_rest partition of usage_record DEFAULT;

create table usage_record_id (
  ecpd_id text not null,
  record_id text not null,
  day date not null,
  batch_no bigint not null,
  constraint usage_record_id_pkey PRIMARY KEY (ecpd_id, record_id)
);
CREATE INDEX usage_record_id_day ON usage_record_id USING btree (ecpd_id, day);

create table usage_trigger (
  ecpd_id text not null,
  account_name text not null,
  trigger_id uuid not null,
  trigger_name text not null,
  service_name text not null,
  threshold_percent integer not null,
  allow_excess boolean not null,
  send_sms boolean not null,
  sms_phone_numbers text[] not null,
  send_email boolean not null,
  email_addresses text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer not null,
  fired_month text not null default ''::text,
  constraint usage_trigger_pkey PRIMARY KEY (ecpd_id, trigger_id),
  constraint usage_trigger_ecpd_id_account_name_trigger_name_key UNIQUE (ecpd_id, account_name, trigger_name),
  constraint usage_trigger_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint usage_trigger_fired_month_check CHECK ((fired_month ~ '^(\d{4}-\d{2})?$'::text)),
  constraint usage_trigger_service_name_check CHECK ((service_name = ANY (ARRAY['Location'::text, 'fota'::text]))),
  constraint usage_trigger_threshold_percent_check CHECK (((threshold_percent >= 1) AND (threshold_percent <= 1000))),
  constraint usage_trigger_trigger_name_check CHECK ((trigger_name IS NFC NORMALIZED))
);
CREATE INDEX usage_trigger_threshold ON usage_trigger USING btree (ecpd_id, account_name, service_name, threshold_percent, fired_month);

create table user_account (
  username text not null,
  account_name text not null,
  ecpd_id text not null,
  "position" integer not null,
  constraint user_account_pkey PRIMARY KEY (username, account_name),
  constraint user_account_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE,
  constraint user_account_username_fkey FOREIGN KEY (username) REFERENCES ws_user(username) ON DELETE CASCADE
);
CREATE INDEX user_account_of_account ON user_account USING btree (ecpd_id, account_name);

create table user_profile (
  ecpd_id text not null,
  account_name text not null,
  user_id uuid not null,
  record jsonb not null,
  foreign_id uuid not null,
  created_on timestamp with time zone not null,
  last_updated timestamp with time zone not null,
  version bigint not null,
  version_id uuid not null,
  constraint user_profile_pkey PRIMARY KEY (ecpd_id, user_id),
  constraint user_profile_ecpd_id_account_name_fkey FOREIGN KEY (ecpd_id, account_name) REFERENCES account(ecpd_id, account_name) ON DELETE CASCADE
);
CREATE INDEX user_profile_created ON user_profile USING btree (ecpd_id, account_name, created_on);
CREATE INDEX user_profile_email ON user_profile USING btree (ecpd_id, account_name, lower((record ->> 'email'::text)));
CREATE INDEX user_profile_of_account ON user_profile USING btree (ecpd_id, account_name, user_id);
CREATE INDEX user_profile_record ON user_profile USING gin (record jsonb_path_ops);
CREATE INDEX user_profile_updated ON user_profile USING btree (ecpd_id, account_name, last_updated);
CREATE INDEX user_profile_version ON user_profile USING btree (ecpd_id, account_name, version, user_id);
CREATE INDEX user_profile_version_id ON user_profile USING btree (ecpd_id, version_id);

create table ws_user (
  username text not null,
  password_hash text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint ws_user_pkey PRIMARY KEY (username)
);

CREATE OR REPLACE FUNCTION keep_consent_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- What a foreign key does is done by a trigger too: this one is then inside another.
  if tg_op = 'UPDATE' or pg_trigger_depth() < 2 then
    raise exception 'consent_ledger is append-only: rows go only with their account';
  end if;
  return null;
end $function$;
