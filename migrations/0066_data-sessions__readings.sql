-- A session keeps its last reports, which are read anew with each one that arrives. A row is of one session id of an access server,
-- whatever charging ids its reports have.
alter table data_session
  -- Of each: kind, time, counters, charging id, and where reports were dropped for it, the time of the first.
  add column reports jsonb not null default '[]',
  -- Late reports from until then cannot be compared.
  add column dropped_until timestamptz,
  -- What the reports have added, and how much of it may have been counted twice.
  add column counted bigint not null default 0,
  add column doubtful bigint not null default 0,
  add column records int not null default 0;

-- By way of a table, because a cluster updates no rows by functions that depend on settings, as those of jsonb do.
create table data_session_reading (
  ecpd_id     text not null,
  session_key uuid not null,
  counted     bigint not null,
  reports     jsonb not null,
  new_key     uuid not null,
  -- Of the rows of a session id, the first stays.
  nth         int not null,
  primary key (ecpd_id, session_key)
);
-- Of each row: the end of the former use of the session id, the start of this one, and its highest counters.
insert into data_session_reading
select ecpd_id, session_key, sum(counted) over same, jsonb_path_query_array(jsonb_agg(reports) over same, '$[*][*]'), new_key,
  row_number() over (partition by ecpd_id, nas, session_id order by moved, last_at desc nulls last, session_key)
from (
  select ecpd_id, session_key, nas, session_id, moved, last_at,
    input + output + earlier_input + earlier_output as counted,
    case when last_at is null then '[]' else
      case when after_at is null then '[]' else jsonb_build_array(
        jsonb_build_array('interim', round(extract(epoch from coalesce(earlier_after, after_at - interval '1 day')) * 1000),
          earlier_input, earlier_output, charging_id),
        jsonb_build_array('start', round(extract(epoch from after_at) * 1000), 0, 0, charging_id)) end
      || jsonb_build_array(jsonb_build_array(
        case when closed_at = last_at and close_cause not in ('restart of the access server', 'nothing was heard of it',
          'the next start of the line', 'the line has left') then 'stop' else 'interim' end,
        round(extract(epoch from last_at) * 1000), input, output, charging_id)) end as reports,
    case when charging_id is null then session_key else left(encode(sha256(convert_to(
      '[' || to_json(nas)::text || ',' || to_json(session_id)::text || ',null]', 'UTF8')), 'hex'), 32)::uuid end as new_key
  from data_session) each
window same as (partition by ecpd_id, nas, session_id, moved);
delete from data_session s using data_session_reading r
where r.ecpd_id = s.ecpd_id and r.session_key = s.session_key and r.nth > 1;
update data_session s set counted = r.counted, reports = r.reports, session_key = r.new_key from data_session_reading r
where r.ecpd_id = s.ecpd_id and r.session_key = s.session_key;
drop table data_session_reading;
alter table data_session drop column generation, drop column after_at, drop column earlier_after, drop column earlier_input,
  drop column earlier_output;

-- All restarts: a late report is compared with those of its time.
alter table access_server drop constraint access_server_pkey, add constraint access_server_pkey primary key (nas, restarted_at);
create index access_server_age on access_server (restarted_at);

-- Usage that may have been counted twice, because the reports of a session can be read in several ways.
create table doubtful_usage (
  ecpd_id      text not null,
  -- The usage record of the report with which it was noticed, if that added any bytes.
  record_id    text collate "C" not null,
  account_name text not null,
  device_id    uuid not null,
  nas          text not null,
  session_id   text not null,
  charging_id  bigint,
  at           timestamptz not null,
  bytes        bigint not null,
  noticed_at   timestamptz not null,
  primary key (ecpd_id, record_id),
  constraint doubtful_usage_account_fkey foreign key (ecpd_id, account_name)
    references account (ecpd_id, account_name) on delete cascade
);
create index doubtful_usage_newest on doubtful_usage (noticed_at, record_id);
create index doubtful_usage_of_account on doubtful_usage (ecpd_id, account_name, noticed_at);
