-- What waits for somebody's word, by the account whose lines it would touch: a page of the console, and the mark by which
-- whoever watches the account hears of it.
create index trigger_action_asked_of on trigger_action (ecpd_id, account_name, approvable_to, action_id)
  where state = 'awaitingApproval';
