-- Same as 7fbf9eba662f52c85da2848b15b337cf8547405295fa3f145a523693b115dd7c, which no cluster could run.
-- Amounts of an account are in one currency. Whoever has said nothing so far was shown bare numbers, of plans in dollars.
alter table account add column currency text not null default 'USD';
alter table account add constraint account_currency_check check (currency ~ '^[A-Z]{3}$');
