-- The interface asks for an application's token before it lets anybody try a password; the console asks for nothing. Were
-- they counted together, any stranger could lock a customer's login of the interface from the page of the console.
alter table login_failure add column place text not null default 'api' check (place in ('api', 'console'));
alter table login_failure drop constraint login_failure_pkey;
alter table login_failure add primary key (username, place);
alter table login_failure alter column place drop default;
