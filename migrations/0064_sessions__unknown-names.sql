-- A failed login under a name that no user has is counted under a digest of the name, which may be a mistyped password. Those
-- counted under the name itself are forgotten, and with them their locks.
delete from login_failure where username not in (select username from ws_user);
