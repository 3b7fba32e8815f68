-- A request says that a plan is to begin with the bill cycle, and no longer when that was when it was made.
update carrier_request set body = body - 'since' || '{"backDate": true}'
where operation = 'plan-change' and status = 'Pending' and body ? 'since';
