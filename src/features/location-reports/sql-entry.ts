import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import { type HeldSpan, unnestSpans } from '../devices/index.ts';
import {
  ABSENT,
  CANCELLED,
  CONSENT_FAILED,
  type DeviceFailure,
  type Fix,
  NO_LINE,
  NO_LOCATION,
  NOT_ALLOWED,
  type Outcome,
  type Recorded,
} from '../locations/index.ts';

export interface Entry {
  readonly nth: number;
  readonly deviceId: string;
  readonly msid: string;
  /** Whether the consent level denied it when the request was made. */
  readonly deniedWhenAsked: boolean;
  /** Undefined while the entry waits for the network; while it waits for consent, only a page fills it in. */
  readonly outcome: Outcome | undefined;
}

export interface SettledEntry extends Entry {
  readonly outcome: Outcome;
}

export interface EntryRow extends Omit<Entry, 'outcome'> {
  readonly state: string;
  readonly cached: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly radiusM: number | null;
  readonly locatedAt: Date | null;
  readonly errorType: string | null;
  readonly errorInfo: string | null;
  readonly errorAt: Date | null;
}

export const COLUMNS =
  trusted(`nth, device_id as "deviceId", msid, denied_when_asked as "deniedWhenAsked", state, cached, latitude, longitude, radius_m as "radiusM",
  located_at as "locatedAt", error_type as "errorType", error_info as "errorInfo", error_at as "errorAt"`);

function toOutcome(row: EntryRow): Outcome | undefined {
  if (row.locatedAt !== null) {
    const { latitude, longitude, radiusM, locatedAt: at, cached } = row;
    return { fix: { latitude: latitude!, longitude: longitude!, radiusM: radiusM!, at }, cached };
  }
  if (row.errorType === null) return undefined;
  // The device is still awaited after a later try with another failure. The listener was sent this one.
  if (row.state === 'absent' && row.errorType !== ABSENT.type) return { failure: ABSENT, at: row.errorAt! };
  return { failure: { type: row.errorType, info: row.errorInfo ?? undefined }, at: row.errorAt! };
}

export const toEntry = (row: EntryRow): Entry => ({
  nth: row.nth,
  deviceId: row.deviceId,
  msid: row.msid,
  deniedWhenAsked: row.deniedWhenAsked,
  outcome: toOutcome(row),
});

/** The entries of a page, column by column. Times are in milliseconds. */
type EntryColumns = {
  readonly [K in keyof EntryRow]: readonly (EntryRow[K] extends Date | null ? number | null : EntryRow[K])[];
};

/** A device that was not asked for reads as it did for want of consent, until it is asked for: consent alone finds no position. */
const notAsked = (entry: Entry, at: Date): Entry => ({
  ...entry,
  outcome: { failure: entry.deniedWhenAsked ? NOT_ALLOWED : CONSENT_FAILED, at },
});

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/**
 * The entries starting at `from`, in the order of the request, as they read `now` where consent allows. The database returns one row of columns: parsing a few long
 * texts costs this process a fraction of reading the thousand rows of a page.
 */
export const listEntries = async (
  db: Db,
  { ecpdId }: Tenant,
  txid: string,
  { from, limit, now }: { from: number; limit: number; now: Date },
): Promise<readonly Entry[]> => {
  const page = await db.one<EntryColumns>(sql`
    select coalesce(json_agg(nth), '[]') as nth, json_agg(device_id) as "deviceId", json_agg(msid) as msid,
      json_agg(denied_when_asked) as "deniedWhenAsked", json_agg(state) as state, json_agg(cached) as cached, json_agg(latitude) as latitude, json_agg(longitude) as longitude,
      json_agg(radius_m) as "radiusM", json_agg(extract(epoch from located_at)::float8 * 1000) as "locatedAt",
      json_agg(error_type) as "errorType", json_agg(error_info) as "errorInfo",
      json_agg(extract(epoch from error_at)::float8 * 1000) as "errorAt"
    from (
      select * from location_entry
      where ecpd_id = ${ecpdId} and txid = ${txid} and nth >= ${from} and nth < ${from + limit} order by nth) entry`);
  return page.nth.map((nth, n) => {
    const entry = toEntry({
      nth,
      deviceId: page.deviceId[n]!,
      msid: page.msid[n]!,
      deniedWhenAsked: page.deniedWhenAsked[n]!,
      state: page.state[n]!,
      cached: page.cached[n]!,
      latitude: page.latitude[n]!,
      longitude: page.longitude[n]!,
      radiusM: page.radiusM[n]!,
      locatedAt: dateOf(page.locatedAt[n]!),
      errorType: page.errorType[n]!,
      errorInfo: page.errorInfo[n]!,
      errorAt: dateOf(page.errorAt[n]!),
    });
    return page.state[n] === 'withheld' ? notAsked(entry, now) : entry;
  });
};

export const listWaiting = async (
  db: Db,
  { ecpdId }: Tenant,
  txid: string,
  limit: number,
): Promise<readonly Entry[]> =>
  (
    await db.many<EntryRow>(sql`
      select ${COLUMNS} from location_entry
      where ecpd_id = ${ecpdId} and txid = ${txid} and state = 'waiting' order by nth limit ${limit}`)
  ).map(toEntry);

export interface Settled {
  readonly txid: string;
  readonly nth: number;
  readonly outcome: Recorded;
}

const locatedOf = ({ outcome }: Settled) =>
  outcome !== 'withheld' && 'fix' in outcome ? outcome : undefined;
const fixOf = (settled: Settled): Fix | undefined => locatedOf(settled)?.fix;
const failureOf = ({ outcome }: Settled) =>
  outcome !== 'withheld' && 'failure' in outcome ? outcome : undefined;

/** Repeats the keys for the index: otherwise all entries in a state would be read to find these. `e` is the entry. */
export const among = (entries: readonly Settled[]): Query => sql`
  e.txid = any(${plainArray([...new Set(entries.map(({ txid }) => txid))])}::uuid[])
  and e.nth = any(${plainArray([...new Set(entries.map(({ nth }) => nth))])}::int[])`;

/**
 * Writes each entry's result, of any number of requests; returns the entries that changed. Only entries in one of the states
 * `from` change: of two workers on one entry, the first wins.
 */
export const settleEntries = async <S extends Settled>(
  db: Db,
  { ecpdId }: Tenant,
  from: readonly ('waiting' | 'absent' | 'withheld')[],
  settled: readonly S[],
): Promise<readonly S[]> => {
  if (settled.length === 0) return [];
  const rows = await db.many<{ n: number }>(sql`
    update location_entry e
    set state = case when s.located_at is not null then 'located' when s.error_type is null then 'withheld'
          when s.error_type = ${ABSENT.type} then 'absent' else 'failed' end,
      unasked = s.located_at is null and s.error_type is null, cached = s.cached, latitude = s.latitude, longitude = s.longitude, radius_m = s.radius_m, located_at = s.located_at,
      error_type = s.error_type, error_info = s.error_info, error_at = s.error_at
    from unnest(${plainArray(settled.map(({ txid }) => txid))}::uuid[], ${plainArray(settled.map(({ nth }) => nth))}::int[], ${settled.map((s) => locatedOf(s)?.cached ?? false)}::boolean[],
      ${plainArray(settled.map((s) => fixOf(s)?.latitude ?? null))}::float8[],
      ${plainArray(settled.map((s) => fixOf(s)?.longitude ?? null))}::float8[], ${plainArray(settled.map((s) => fixOf(s)?.radiusM ?? null))}::float8[],
      ${plainArray(settled.map((s) => fixOf(s)?.at ?? null))}::timestamptz[], ${settled.map((s) => failureOf(s)?.failure.type ?? null)}::text[],
      ${settled.map((s) => failureOf(s)?.failure.info ?? null)}::text[], ${plainArray(settled.map((s) => failureOf(s)?.at ?? null))}::timestamptz[])
      with ordinality as s (txid, nth, cached, latitude, longitude, radius_m, located_at, error_type, error_info, error_at, n)
    where e.ecpd_id = ${ecpdId} and e.txid = s.txid and e.nth = s.nth and e.state = any(${from}::text[]) and ${among(settled)}
    returning s.n::int as n`);
  return rows
    .map(({ n }) => n)
    .sort((a, b) => a - b)
    .map((n) => settled[n - 1]!);
};

/**
 * Erases positions from reports, those of one account or of every account that has or had these devices. The entries stay.
 */
export const eraseLocations = (
  db: Db,
  { ecpdId, accountName }: Pick<Tenant, 'ecpdId'> & Partial<Tenant>,
  now: Date,
  spans?: readonly HeldSpan[],
) =>
  db.exec(sql`
    update location_entry e set state = 'failed', cached = false, latitude = null, longitude = null, radius_m = null,
      located_at = null, error_type = ${NO_LOCATION.type}, error_at = ${now}
    where e.ecpd_id = ${ecpdId} and e.state = 'located'
      and ${
        accountName === undefined
          ? sql`true`
          : sql`e.txid in (select txid from location_request where ecpd_id = ${ecpdId} and account_name = ${accountName})`
      }
      and ${
        spans === undefined
          ? sql`true`
          : sql`e.device_id = any(${plainArray(spans.map(({ deviceId }) => deviceId))}::uuid[]) and exists (
              select 1 from ${unnestSpans(spans)} as s (device_id, from_at, to_at)
              where s.device_id = e.device_id and e.located_at between s.from_at and s.to_at)`
      }`);

/** Ends all open entries without notifying the listener. */
export const cancelEntries = (db: Db, { ecpdId }: Tenant, txid: string, now: Date) =>
  db.exec(sql`
    update location_entry set state = 'failed', unasked = false, error_type = ${CANCELLED.type}, error_info = null,
      error_at = ${now}
    where ecpd_id = ${ecpdId} and txid = ${txid} and state in ('waiting', 'absent', 'withheld')`);

/** Ends the awaited entries of devices that leave the account by a move or a deletion. The worker finds out on its own about entries that wait for the network. */
export const failAwaited = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  at: Date,
) =>
  db.exec(sql`
    update location_entry e set state = 'failed', unasked = false, error_type = ${NO_LINE.type}, error_info = null,
      error_at = ${at}
    from location_request r
    where e.ecpd_id = ${ecpdId} and e.device_id = any(${plainArray(deviceIds)}::uuid[]) and e.state in ('absent', 'withheld')
      and r.ecpd_id = ${ecpdId} and r.account_name = ${accountName} and r.txid = e.txid`);

/** Fails the entries that still wait for the network, and returns them. */
export const failWaiting = async (
  db: Db,
  { ecpdId }: Tenant,
  txid: string,
  { failure, at }: { failure: DeviceFailure; at: Date },
): Promise<readonly SettledEntry[]> => {
  const rows = await db.many<EntryRow>(sql`
    update location_entry set state = 'failed', error_type = ${failure.type}, error_at = ${at}
    where ecpd_id = ${ecpdId} and txid = ${txid} and state = 'waiting' returning ${COLUMNS}`);
  return rows.map((row) => ({ ...toEntry(row), outcome: { failure, at } })).sort((a, b) => a.nth - b.nth);
};
