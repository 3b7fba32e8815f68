import type { Db } from '../../platform/db/db.ts';
import { sql, trusted } from '../../platform/db/sql.ts';
import { LEASE_MS } from '../../platform/lanes/leases.ts';
import type { Content, TakenContent } from './content.ts';
import { type LineMark, MARK_BYTES, type MarkPiece, placeOf } from './line-marks.ts';

/** Identifies a file. One of the same name that is larger or newer is a different file. */
export interface FileKey {
  readonly folder: string;
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** The last change of anything about it. Another file of the same name, size and date has another one. */
  readonly changedAt: Date;
}

export interface FileProgress {
  readonly lines: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejectBytes: number;
}

export interface ClaimedFile extends FileProgress {
  readonly state: 'taking' | 'done' | 'failed';
  readonly reason: string | null;
  readonly contentHash: string | null;
  readonly begunAt: Date;
}

const PROGRESS = trusted(
  'lines::float8 as lines, accepted::float8 as accepted, duplicates::float8 as duplicates, rejected::float8 as rejected, reject_bytes::float8 as "rejectBytes"',
);

/** Forgets how far another file of the same name, size and date was taken, unless its content will be compared. */
const forgetOther = (db: Db, { folder, name, bytes, modifiedAt, changedAt }: FileKey) =>
  db.exec(sql`
    delete from usage_file
    where folder = ${folder} and name = ${name} and bytes = ${bytes} and modified_at = ${modifiedAt}
      and changed_at is distinct from ${changedAt} and (state <> 'taking' or content_hash is null)
      and lease_until < statement_timestamp()`);

/** Claims the file if no process holds it, and returns its progress. A finished file is claimed too: it was not moved away. */
export async function claimFile(db: Db, key: FileKey, leaseToken: string): Promise<ClaimedFile | undefined> {
  await forgetOther(db, key);
  const { folder, name, bytes, modifiedAt, changedAt } = key;
  return db.maybe<ClaimedFile>(sql`
    insert into usage_file as f (folder, name, bytes, modified_at, changed_at, state, begun_at, lease_token, lease_until)
    values (${folder}, ${name}, ${bytes}, ${modifiedAt}, ${changedAt}, 'taking', statement_timestamp(), ${leaseToken},
      statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000}))
    on conflict (folder, name, bytes, modified_at) do update
      set lease_token = excluded.lease_token, lease_until = excluded.lease_until
      where f.lease_until < excluded.begun_at
    returning state, reason, content_hash as "contentHash", begun_at as "begunAt", ${PROGRESS}`);
}

const ofFile = ({ folder, name, bytes, modifiedAt }: FileKey) => sql`
  folder = ${folder} and name = ${name} and bytes = ${bytes} and modified_at = ${modifiedAt}`;
const HELD = (key: FileKey, leaseToken: string) => sql`${ofFile(key)} and lease_token = ${leaseToken}`;

/** Whether this process still holds it. */
export const renewFile = async (db: Db, key: FileKey, leaseToken: string): Promise<boolean> =>
  (await db.exec(sql`
    update usage_file set lease_until = statement_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    where ${HELD(key, leaseToken)} and lease_until > '-infinity'`)) === 1;

export const releaseFile = (db: Db, key: FileKey, leaseToken: string) =>
  db.exec(sql`update usage_file set lease_until = '-infinity' where ${HELD(key, leaseToken)}`);

/** Marks of a content that is part of another are not kept: the other one has them. */
export const noteContent = (
  db: Db,
  key: FileKey,
  leaseToken: string,
  { hash, bytes, headHash, within }: Omit<Content, 'idOf'>,
) =>
  db.exec(sql`
    with noted as (
      update usage_file set content_hash = ${hash}, content_bytes = ${bytes}, head_hash = ${headHash},
        within_hash = ${within?.hash ?? null}, within_lines = ${within?.lines ?? null}
      where ${HELD(key, leaseToken)})
    delete from usage_file_mark where ${within !== null} and ${ofFile(key)}`);

/** More files never begin with the same row. */
const PARTS_MAX = 1_000;

/** The contents with this beginning that were taken before. */
export const listParts = (db: Db, headHash: string, begunBefore: Date) =>
  db.many<TakenContent>(sql`
    select content_hash as hash, content_bytes::float8 as bytes,
      case when within_hash is not null then jsonb_build_object('hash', within_hash, 'lines', within_lines) end as within
    from usage_file
    where head_hash = ${headHash} and begun_at < ${begunBefore} order by begun_at desc limit ${PARTS_MAX}`);

/** Keeps marks of the lines of a content. They are the same when it is read again. */
export const keepMarks = (
  db: Db,
  { folder, name, bytes, modifiedAt }: FileKey,
  pieces: readonly MarkPiece[],
) =>
  db.exec(sql`
    insert into usage_file_mark (folder, name, bytes, modified_at, first_line, marks)
    select ${folder}, ${name}, ${bytes}, ${modifiedAt}, p.first, p.marks
    from unnest(${pieces.map(({ firstLine }) => firstLine)}::int8[], ${pieces.map(({ marks }) => marks)}::bytea[]) as p (first, marks)
    on conflict do nothing`);

/** The first content with this beginning, taken before, that has this mark at the line. */
export async function findWhole(
  db: Db,
  headHash: string,
  begunBefore: Date,
  { line, mark }: LineMark,
): Promise<string | undefined> {
  const { firstLine, at } = placeOf(line);
  const found = await db.maybe<{ readonly hash: string }>(sql`
    select coalesce(f.within_hash, f.content_hash) as hash
    from usage_file f join usage_file_mark m using (folder, name, bytes, modified_at)
    where f.head_hash = ${headHash} and f.begun_at < ${begunBefore} and m.first_line = ${firstLine}
      and substring(m.marks from ${at}::int for ${MARK_BYTES}::int) = ${mark}
    order by f.begun_at limit 1`);
  return found?.hash;
}

export const noteProgress = async (
  db: Db,
  key: FileKey,
  leaseToken: string,
  { lines, accepted, duplicates, rejected, rejectBytes }: FileProgress,
): Promise<boolean> =>
  (await db.exec(sql`
    update usage_file set lines = ${lines}, accepted = ${accepted}, duplicates = ${duplicates}, rejected = ${rejected},
      reject_bytes = ${rejectBytes}
    where ${HELD(key, leaseToken)}`)) === 1;

/** `reason` is why it could not be taken. */
export const endFile = async (
  db: Db,
  key: FileKey,
  leaseToken: string,
  reason: string | undefined,
): Promise<boolean> =>
  (await db.exec(sql`
    update usage_file set state = ${reason === undefined ? 'done' : 'failed'}, reason = ${reason ?? null},
      ended_at = statement_timestamp()
    where ${HELD(key, leaseToken)} and state = 'taking'`)) === 1;

interface ListedFile extends FileProgress {
  readonly folder: string;
  readonly name: string;
  readonly bytes: number;
  readonly state: string;
  readonly reason: string | null;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
}

/** The files begun last. */
export const listFiles = (db: Db, folder: string, limit: number) =>
  db.many<ListedFile>(sql`
    select folder, name, bytes::float8 as bytes, state, reason, begun_at as "begunAt", ended_at as "endedAt", ${PROGRESS}
    from usage_file where folder = ${folder} order by begun_at desc limit ${limit}`);

/** Deletes marks of files that ended before this time: a file may have many. */
export const deleteMarks = (db: Db, endedBefore: Date, limit: number): Promise<number> =>
  db.exec(sql`
    delete from usage_file_mark where (folder, name, bytes, modified_at, first_line) in (
      select folder, name, bytes, modified_at, m.first_line
      from usage_file f join usage_file_mark m using (folder, name, bytes, modified_at)
      where f.ended_at < ${endedBefore} limit ${limit})`);

/** Deletes entries of files that ended before this time. */
export const deleteEnded = (db: Db, endedBefore: Date, limit: number): Promise<number> =>
  db.exec(sql`
    delete from usage_file where (folder, name, bytes, modified_at) in (
      select folder, name, bytes, modified_at from usage_file where ended_at < ${endedBefore} order by ended_at limit ${limit})`);
