-- What shows the request of an attempt again: the moment that it was signed with, in real time, and the beginning of its
-- signature, by which one that is made again is known to be the same. Of an attempt that failed also the headers of
-- the answer, at most 2 KiB and without what is secret. All are null in rows of before.
alter table callback_attempt
  add column signed_at timestamptz,
  add column signature_mark integer,
  add column answer_headers text;
