-- Whether anything that a request told was a failure: who asks how it ended is answered without reading its messages.
alter table billing_request add column failed boolean not null default false;
