-- Two ways to write one name in Unicode are one name: names are kept in NFC, so that the key over them sees it. Where both
-- ways are in use already, all but one get the beginning of their id behind the name.
with spelled as (
  select ecpd_id, trigger_id, normalize(trigger_name, NFC) as name, row_number() over (
    partition by ecpd_id, account_name, normalize(trigger_name, NFC)
    order by trigger_name is nfc normalized desc, created_at, trigger_id) as nth
  from usage_trigger)
update usage_trigger t
set trigger_name = case when s.nth = 1 then s.name else left(s.name, 91) || ' ' || left(t.trigger_id::text, 8) end
from spelled s
where s.ecpd_id = t.ecpd_id and s.trigger_id = t.trigger_id and t.trigger_name is not nfc normalized;

alter table usage_trigger add constraint usage_trigger_trigger_name_check check (trigger_name is nfc normalized);
