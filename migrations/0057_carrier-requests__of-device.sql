-- What was asked for of one device, for its history.
create index carrier_request_device_of on carrier_request_device (ecpd_id, device_id) where device_id is not null;
