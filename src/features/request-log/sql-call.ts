import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { joinSql, type Query, sql, unprepared } from '../../platform/db/sql.ts';
import { type Caller, type KeptCall, NOBODY } from './call.ts';

const json = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** Clocks of processes differ. Erasing a few seconds too much does no harm. */
const CLOCKS_APART_MS = 5_000;

/**
 * Outside the sandbox, another process may erase positions while answers with them wait here to be written. An erasure updates
 * the account's row first, so one of the two waits: either the erasure finds these calls, or this write sees the erasure.
 * Without a row (the recording has ended) an erasure would go unnoticed, so no positions are stored.
 */
async function withoutErased(
  tx: Db,
  ecpdId: string,
  calls: readonly KeptCall[],
): Promise<readonly KeptCall[]> {
  const names = new Set(calls.flatMap(({ located, accountName }) => (located && accountName) ?? []));
  if (names.size === 0) return calls;
  const recorded = await tx.many<{ accountName: string; erasedAt: Date | null }>(sql`
    select account_name as "accountName", erased_at as "erasedAt" from recorded_account
    where ecpd_id = ${ecpdId} and account_name = any(${[...names]}::text[]) order by account_name for share`);
  const erasedMs = new Map(
    recorded.map(({ accountName, erasedAt }) => [
      accountName,
      erasedAt === null ? Number.NEGATIVE_INFINITY : erasedAt.getTime() + CLOCKS_APART_MS,
    ]),
  );
  return calls.map((call) =>
    call.located !== null && !(call.at.getTime() > (erasedMs.get(call.accountName ?? '') ?? Number.NaN))
      ? { ...call, answer: undefined, located: null }
      : call,
  );
}

/**
 * Inserts calls of one profile or of none. The commit does not wait for the disk. The rows come from one VALUES row of arrays:
 * a cluster writes such a row on one server, also if the profile does not exist.
 */
export const insertCalls = (db: Db, ecpdId: string, given: readonly KeptCall[], areRecorded: boolean) =>
  db.tx(
    async (tx) => {
      await tx.exec(sql`set local synchronous_commit = off`);
      const calls = areRecorded ? await withoutErased(tx, ecpdId, given) : given;
      await tx.exec(sql`
        insert into logged_call (ecpd_id, call_id, account_name, at, request_id, operation, method, path, status, duration_ms,
          caller_kind, caller, request, answer, reason, injected, located)
        values (${ecpdId}, unnest(${plainArray(calls.map((c) => c.id))}::uuid[]),
          unnest(${calls.map((c) => c.accountName)}::text[]), unnest(${plainArray(calls.map((c) => c.at))}::timestamptz[]),
          unnest(${calls.map((c) => c.requestId)}::text[]), unnest(${calls.map((c) => c.operation)}::text[]),
          unnest(${calls.map((c) => c.method)}::text[]), unnest(${calls.map((c) => c.path)}::text[]),
          unnest(${calls.map((c) => c.status)}::smallint[]), unnest(${calls.map((c) => c.durationMs)}::real[]),
          unnest(${calls.map((c) => c.caller?.kind ?? null)}::text[]), unnest(${calls.map((c) => c.caller?.name ?? null)}::text[]),
          unnest(${calls.map((c) => c.request ?? null)}::text[]), unnest(${calls.map((c) => c.answer ?? null)}::text[]),
          unnest(${calls.map((c) => json(c.reason))}::jsonb[]), unnest(${calls.map((c) => json(c.injected))}::jsonb[]),
          unnest(${calls.map((c) => json(c.located))}::jsonb[]))`);
    },
    { ecpdId },
  );

/** The profiles of the named accounts. Unknown names are left out. */
export const listProfilesOf = (db: Db, accountNames: readonly string[]) =>
  db.many<Tenant>(sql`
    select account_name as "accountName", ecpd_id as "ecpdId" from account_directory
    where account_name = any(${accountNames}::text[])`);

export interface CallFilter {
  readonly id?: string | undefined;
  readonly operation?: string | undefined;
  readonly accountName?: string | undefined;
  readonly status?: number | undefined;
  readonly since?: Date | undefined;
  /** Older than this call. */
  readonly before?: string | undefined;
  /** Newer than this call. */
  readonly after?: string | undefined;
  readonly limit: number;
}

type CallRow = Omit<KeptCall, 'caller' | 'request' | 'answer' | 'reason' | 'injected'> & {
  readonly callerKind: Caller['kind'] | null;
  readonly caller: string;
  readonly request: string | null;
  readonly answer: string | null;
  readonly reason: object | null;
  readonly injected: object | null;
};

/** Newest first; with `after`, oldest first. */
export const listCalls = (db: Db, filter: CallFilter) => {
  const { id, operation, accountName, status, since, before, after, limit } = filter;
  const where: readonly Query[] = [
    sql`true`,
    ...(id === undefined ? [] : [sql`call_id = ${id}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(accountName === undefined ? [] : [sql`account_name = ${accountName}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(before === undefined ? [] : [sql`call_id < ${before}`]),
    ...(after === undefined ? [] : [sql`call_id > ${after}`]),
  ];
  return db.many<CallRow>(
    unprepared(sql`
      select ecpd_id as "ecpdId", call_id as id, account_name as "accountName", at, request_id as "requestId", operation, method,
        path, status, duration_ms as "durationMs", caller_kind as "callerKind", caller, request, answer, reason, injected, located
      from logged_call where ${joinSql(where, ' and ')}
      order by call_id ${after === undefined ? sql`desc` : sql`asc`} limit ${limit}`),
  );
};

export const findNewestCall = (db: Db) =>
  db.maybe<{ id: string }>(sql`select call_id as id from logged_call order by call_id desc limit 1`);

/** Deletes calls that concern the account or may do so: those of its profile that name no account. */
export const deleteCallsOfAccount = async (db: Db, { ecpdId, accountName }: Tenant): Promise<void> => {
  await db.exec(sql`
    delete from logged_call where ecpd_id = ${ecpdId} and (account_name = ${accountName} or account_name is null)`);
  await db.exec(sql`
    update logged_call set request = null, answer = null
    where ecpd_id = ${NOBODY} and (request is not null or answer is not null)`);
  await db.exec(
    sql`delete from recorded_account where ecpd_id = ${ecpdId} and account_name = ${accountName}`,
  );
};

/**
 * Erases answers with positions, including those not yet written elsewhere: those of one account or of every account that
 * has or had these devices.
 */
export async function eraseLocatedAnswers(
  db: Db,
  { ecpdId, accountName }: Pick<Tenant, 'ecpdId'> & Partial<Tenant>,
  now: Date,
  deviceIds?: readonly string[],
): Promise<number> {
  const ofAccount = accountName === undefined ? sql`true` : sql`account_name = ${accountName}`;
  await db.exec(sql`
    update recorded_account set erased_at = ${now} where ecpd_id = ${ecpdId} and ${ofAccount}`);
  return db.exec(sql`
    update logged_call set answer = null, located = null
    where ecpd_id = ${ecpdId} and ${ofAccount} and located is not null
      and ${deviceIds === undefined ? sql`true` : sql`jsonb_exists_any(located->'devices', ${deviceIds}::text[])`}`);
}

interface Beyond {
  readonly kept: number;
  readonly limit: number;
  /** All calls up to this one are deleted. Skipping them avoids reading their dead rows before a vacuum removes them. */
  readonly above: string | undefined;
}
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes one batch of calls older than the newest `kept`, and returns up to which call. The reads take no locks; each
 * delete names one profile.
 */
export async function deleteBeyond(
  db: Db,
  { kept, limit, above = BEFORE_ALL }: Beyond,
): Promise<{ readonly deleted: number; readonly upTo: string | undefined }> {
  const newest = await db.maybe<{ id: string }>(sql`
    select call_id as id from logged_call order by call_id desc offset ${kept} limit 1`);
  if (newest === undefined) return { deleted: 0, upTo: undefined };
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(call_id) as ids from (
      select ecpd_id, call_id from logged_call where call_id > ${above} and call_id <= ${newest.id}
      order by call_id limit ${limit}) oldest
    group by ecpd_id`);
  return { deleted: await deleteCalls(db, old), upTo: newest.id };
}

/** Deletes one batch of calls with ids below `before`, or of deleted accounts. */
export async function deleteOld(db: Db, before: string, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; ids: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(call_id) as ids from (
      select ecpd_id, call_id from logged_call l
      where call_id < ${before} or (account_name is not null
        and not exists (select 1 from account_directory a where a.account_name = l.account_name))
      limit ${limit}) oldest
    group by ecpd_id`);
  return deleteCalls(db, old);
}

async function deleteCalls(db: Db, old: readonly { ecpdId: string; ids: string[] }[]): Promise<number> {
  let deleted = 0;
  for (const { ecpdId, ids } of old)
    deleted += await db.exec(sql`
      delete from logged_call where ecpd_id = ${ecpdId} and call_id = any(${plainArray(ids)}::uuid[])`);
  return deleted;
}
