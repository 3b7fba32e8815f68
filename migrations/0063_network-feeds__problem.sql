-- What keeps a feed from its work at the moment; null: nothing.
alter table network_feed_report add column problem text;
