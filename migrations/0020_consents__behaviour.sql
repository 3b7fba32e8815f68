-- An entry of the list stands for a device. Which one it was made for is kept beside the identifier, so that the device
-- stays excluded when its identifier changes. Null where the device was not known; no foreign key, because an entry
-- outlives its device.
alter table exclusion add column device_id uuid;
update exclusion e set device_id = di.device_id from device_identifier di
where di.kind in ('imei', 'meid', 'esn') and di.value = e.identifier
  and di.ecpd_id = e.ecpd_id and di.account_name = e.account_name;

-- 'level-all' is the account's level given by its owner, which ends the levels of single devices; 'level' comes by
-- import and leaves them.
alter table consent_ledger
  drop constraint consent_ledger_change_check,
  drop constraint consent_ledger_check,
  drop constraint consent_ledger_check1;
alter table consent_ledger
  add constraint consent_ledger_change check (change in
    ('level', 'level-all', 'device-level', 'exclude', 'exclude-all', 'allow', 'allow-all')),
  add constraint consent_ledger_level check
    ((change in ('level', 'level-all', 'device-level')) = (level is not null)),
  add constraint consent_ledger_device check
    (case when change = 'device-level' then device_id is not null
          when change not in ('exclude', 'allow') then device_id is null else true end);
update consent_ledger l set device_id = di.device_id from device_identifier di
where l.change in ('exclude', 'allow') and di.kind in ('imei', 'meid', 'esn') and di.value = l.identifier
  and di.ecpd_id = l.ecpd_id and di.account_name = l.account_name;

-- What a question about one device reads: the account's own changes, those of the device, those of an identifier.
create index consent_ledger_of_account on consent_ledger (ecpd_id, account_name, change, at, entry_id)
  where device_id is null and identifier is null;
create index consent_ledger_of_device on consent_ledger (ecpd_id, account_name, device_id, identifier, at, entry_id)
  where device_id is not null;
create index consent_ledger_of_identifier on consent_ledger (ecpd_id, account_name, identifier, at, entry_id)
  where identifier is not null;

-- What was allowed when is proof only if nobody can change it afterwards. Rows go with their account and not otherwise.
create function keep_consent_ledger() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'consent_ledger is append-only';
  end if;
  if exists (select from gone join account using (ecpd_id, account_name)) then
    raise exception 'consent_ledger is append-only: rows go only with their account';
  end if;
  return null;
end $$;
create trigger consent_ledger_no_update before update on consent_ledger
  for each statement execute function keep_consent_ledger();
create trigger consent_ledger_no_delete after delete on consent_ledger
  referencing old table as gone for each statement execute function keep_consent_ledger();
