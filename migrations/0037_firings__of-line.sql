-- What has fired for one line, newest first: its page in the console has it in one history with everything else.
create index firing_of_subject on firing (ecpd_id, subject, fired_at desc, firing_id desc);
