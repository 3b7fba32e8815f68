-- Requests of an account, newest first.
create index location_request_listing on location_request (ecpd_id, account_name, answered_by, created_at desc, txid desc);
