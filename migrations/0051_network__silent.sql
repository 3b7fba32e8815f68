-- Elements that said nothing of a whole batch of lines: the rest of their lines was not asked for.
alter table network_check add column silent text[] not null default '{}';

-- Differences are listed in this order, page by page.
create index network_difference_listed on network_difference (element, imsi, ecpd_id);

-- Whoever lets a job run again knows nothing of profiles.
create index job_failed on job (job_id) where state = 'failed';
