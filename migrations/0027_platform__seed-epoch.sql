-- How often a sandbox with a seed was begun on this database: what follows from the seed is another each time.
alter table domain_clock add column seed_epoch int not null default 0;
