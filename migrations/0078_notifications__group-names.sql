-- Two ways to write one name in Unicode are one name: names are kept in NFC, so that the key over them sees it. Groups that
-- are one by that have the members of all, so that nobody is told less than before.
with spelled as (
  select ecpd_id, normalize(name, NFC) as name, emails, phones from notification_group
  where name is not nfc normalized)
insert into notification_group as g (ecpd_id, name, emails, phones)
select k.ecpd_id, k.name,
  array(select distinct unnest(s.emails) from spelled s where s.ecpd_id = k.ecpd_id and s.name = k.name),
  array(select distinct unnest(s.phones) from spelled s where s.ecpd_id = k.ecpd_id and s.name = k.name)
from (select distinct ecpd_id, name from spelled) k
on conflict (ecpd_id, name) do update set
  emails = array(select distinct unnest(g.emails || excluded.emails)),
  phones = array(select distinct unnest(g.phones || excluded.phones));
delete from notification_group where name is not nfc normalized;

alter table notification_group add constraint notification_group_name_check check (name is nfc normalized);
