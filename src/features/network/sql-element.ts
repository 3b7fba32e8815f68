import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';

/** What all processes share about an element. */
export interface ElementRow {
  readonly element: string;
  readonly pausedAt: Date | null;
  readonly silentSince: Date | null;
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
}

export const listElementRows = (db: Db) =>
  db.many<ElementRow>(sql`
    select element, paused_at as "pausedAt", silent_since as "silentSince", last_error as "lastError",
      last_error_at as "lastErrorAt"
    from network_element`);

export const listPaused = async (db: Db): Promise<ReadonlySet<string>> =>
  new Set(await db.values<string>(sql`select element from network_element where paused_at is not null`));

export const setPaused = (db: Db, element: string, by: string | undefined, now: Date) =>
  db.exec(sql`
    insert into network_element (element, paused_at, paused_by)
    values (${element}, ${by === undefined ? null : now}, ${by ?? null})
    on conflict (element) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by`);

/** A silent element has answered nothing; one that refuses an order answers. */
export const noteFailure = (
  db: Db,
  element: string,
  { reason, silent, now }: { readonly reason: string; readonly silent: boolean; readonly now: Date },
) =>
  db.exec(sql`
    insert into network_element as e (element, silent_since, last_error, last_error_at)
    values (${element}, ${silent ? now : null}, ${reason}, ${now})
    on conflict (element) do update set
      silent_since = case when excluded.silent_since is null then null else coalesce(e.silent_since, excluded.silent_since) end,
      last_error = excluded.last_error, last_error_at = excluded.last_error_at`);

export const noteAnswer = (db: Db, element: string) =>
  db.exec(
    sql`update network_element set silent_since = null where element = ${element} and silent_since is not null`,
  );

/** Profiles with open orders for an element. */
export const listProfilesWaiting = (db: Db, element: string): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from network_order where element = ${element} and closed_at is null`);

/** Orders that waited during the pause get their full time again and are tried now. */
export const renewOrders = (db: Db, ecpdId: string, element: string, expiresAt: Date) =>
  db.exec(sql`
    update network_order set expires_at = ${expiresAt},
      due_at = case when state = 'taken' then ${expiresAt}::timestamptz else due_at end
    where ecpd_id = ${ecpdId} and element = ${element} and closed_at is null`);

/** The backlog of each element and its age; counted up to a hundred thousand. */
export const measureBacklog = (db: Db, at: Query) =>
  db.many<{ element: string; backlog: number; lagSeconds: number }>(sql`
    select element, count(*)::int as backlog,
      extract(epoch from ${at}::timestamptz - min(created_at))::float8 as "lagSeconds"
    from (select element, created_at from network_order where closed_at is null limit 100000) waiting
    group by element`);

/** Orders that each element did recently; counted up to a hundred thousand. */
export const measureDone = (db: Db, { at, sinceMs }: { readonly at: Query; readonly sinceMs: number }) =>
  db.many<{ element: string; done: number }>(sql`
    select element, count(*)::int as done
    from (select element from network_order
      where closed_at > ${at}::timestamptz - make_interval(secs => ${sinceMs / 1_000}) and state = 'done' limit 100000) ended
    group by element`);
