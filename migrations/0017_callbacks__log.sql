-- A request is found wherever it is, by an operator who knows nothing else, and by its owner.
drop index callback_message_request;
create index callback_message_request on callback_message (request_id, ecpd_id, account_name);

-- The log of an account or of one of its services, newest first: a quiet service is found beside a busy one.
create index callback_message_lane on callback_message (ecpd_id, account_name, service_name, created_at, message_id);

-- The log of all, and the purge, by time; the service is there to pass over others without reading them.
drop index callback_message_created;
create index callback_message_created on callback_message (created_at, service_name);

-- Failed messages, to be listed and re-sent without a look at all that was delivered. A re-send takes the row away.
create table callback_failed (
  ecpd_id      text not null,
  message_id   uuid not null,
  account_name text not null,
  service_name text not null,
  created_at   timestamptz not null,
  primary key (ecpd_id, message_id)
);
create index callback_failed_account on callback_failed (ecpd_id, account_name, created_at);
create index callback_failed_created on callback_failed (created_at);

insert into callback_failed (ecpd_id, message_id, account_name, service_name, created_at)
select ecpd_id, message_id, account_name, service_name, created_at from callback_message m
where not exists (select from callback_pending p where p.ecpd_id = m.ecpd_id and p.message_id = m.message_id)
  and not exists (select from callback_attempt a where a.ecpd_id = m.ecpd_id and a.message_id = m.message_id
                  and a.status between 200 and 299);
