-- The transaction id that an activation replaced, read only of an activated account. A client that lost the answer repeats
-- the call with it, and has to be told "already activated" and not that the id is wrong.
alter table managed_account add column added_txid uuid;
