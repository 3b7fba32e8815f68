-- The rules that an account's cycles have followed, as a list of {cycle, from, timeZone, billCycleDay}. Null: they always
-- followed the account's present zone and bill-cycle day.
alter table account add column boundaries jsonb;
