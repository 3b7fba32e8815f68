-- Workers take turns between profiles: they jump from one to the next here, past however many jobs one has.
create index job_turn on job (ecpd_id, due_at) where state = 'waiting';
