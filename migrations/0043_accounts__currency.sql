-- Amounts of an account are in one currency. Whoever has said nothing so far was shown bare numbers, of plans in dollars.
alter table account add column currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$');
