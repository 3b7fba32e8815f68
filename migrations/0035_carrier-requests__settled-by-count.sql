-- Devices of a request are settled in their order, so its counts say which are: as many as have succeeded or failed. A mark in
-- each row said it a second time, and cost a new version of the row in four indexes. With it go its index and its check.
alter table carrier_request_device drop column state;
