-- Which devices carry a label, such as a vehicle's number.
create index device_labels on device using gin (labels jsonb_path_ops);
