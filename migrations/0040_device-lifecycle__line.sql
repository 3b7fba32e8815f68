-- The address and the activation are kept with the device; what is left is given once and stays.
alter table device_line drop column ip_address, drop column activated_at, drop column activated_by;
