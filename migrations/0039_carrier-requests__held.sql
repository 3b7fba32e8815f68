-- Same as 3c6792d4abe9c5e892011b6a662fa5a4ff09b9af0f08a4ddb1015fb8b56f5dcd, which no cluster could run.
-- Devices that wait for the network are settled when it has confirmed, in any order. They are counted, so that the counts still
-- say how far a request is: as many as have succeeded, failed or are held come before the next.
alter table carrier_request add column held int not null default 0;
alter table carrier_request add constraint carrier_request_held_check check (held >= 0);
alter table carrier_request drop constraint carrier_request_check1;
alter table carrier_request add constraint carrier_request_counts check (succeeded + failed + held <= device_count);
alter table carrier_request_device add column held boolean not null default false;
create index carrier_request_device_held on carrier_request_device (ecpd_id, request_id, device_id) where held;
