import { DEVICE_ID_KINDS, type DeviceId } from '../../kernel/device-id.ts';
import type { Tenant } from '../../platform/context/context.ts';
import { arrayText } from '../../platform/db/array-text.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { type Query, sql, trusted } from '../../platform/db/sql.ts';
import type { DeviceKey } from './device.ts';

/** The identifiers of a row of `device`, named `g`, by their kind. */
const IDENTIFIERS = trusted(
  `jsonb_strip_nulls(jsonb_build_object(${DEVICE_ID_KINDS.map((kind) => `'${kind}', g.${kind}`).join(', ')}))`,
);

/** When a new owner's identifier starts to count: null (from the beginning) if it had no earlier owner. */
export const ownedSince = (kind: Query, value: Query, at: Date): Query => sql`
  case when exists (select 1 from earlier_owner o where o.kind = ${kind} and o.value = ${value}) then ${at}::timestamptz end`;

/** For a statement with rows `ended` of the directory: stores their owners, for records from that time. */
export const keepOwners = (ended: Query, at: Date): Query => sql`
  insert into earlier_owner (kind, value, from_at, to_at, ecpd_id, account_name, device_id)
  select e.kind, e.value, e.since, ${at}, e.ecpd_id, e.account_name, e.device_id from ${ended} e
  where e.since is null or e.since < ${at}
  on conflict do nothing`;

/** For a statement with rows `gone` of devices as they were: keeps what their account can still name and find them by. */
export const keepLeft = (ecpdId: string, gone: Query, at: Date): Query => sql`
  insert into left_line (ecpd_id, account_name, device_id, left_at, identifiers, labels)
  select p.ecpd_id, g.account_name, g.device_id, ${at}, ${IDENTIFIERS}, g.labels
  from ${gone} g join profile p on p.ecpd_id = ${ecpdId}
  on conflict (ecpd_id, account_name, device_id)
    do update set left_at = excluded.left_at, identifiers = excluded.identifiers, labels = excluded.labels`;

/** Removes the identifiers of devices from the directory. */
export const endOwnership = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  deviceIds: readonly string[],
  at: Date,
) =>
  db.exec(sql`
    with ended as (
      delete from device_identifier
      where ecpd_id = ${ecpdId} and account_name = ${accountName} and device_id = any(${plainArray(deviceIds)}::uuid[])
      returning *)
    ${keepOwners(sql`ended`, at)}`);

/** An identifier at a point in time. */
export interface OwnedAt {
  readonly id: DeviceId;
  readonly atMs: number;
}

/** The former owners of identifiers at points in time; `nth` counts from 0. */
export const listEarlierOwners = (db: Db, given: readonly OwnedAt[]) =>
  db.many<Pick<DeviceKey, 'ecpdId' | 'accountName' | 'deviceId'> & { readonly nth: number }>(sql`
    select (given.nth - 1)::int as nth, o.ecpd_id as "ecpdId", o.account_name as "accountName", o.device_id as "deviceId"
    from unnest(${arrayText(given.map(({ id }) => id.kind))}::text[], ${arrayText(given.map(({ id }) => id.value))}::text[],
      ${plainArray(given.map(({ atMs }) => atMs))}::bigint[]) with ordinality as given (kind, value, at_ms, nth)
    cross join lateral (select 'epoch'::timestamptz + given.at_ms * interval '1 millisecond' as at) moment
    join earlier_owner o on o.kind = given.kind and o.value = given.value and o.to_at > moment.at
      and (o.from_at is null or o.from_at <= moment.at)`);

/** Works like `deleteOldOwners`. */
export async function deleteOldLeftLines(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; deviceIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct device_id) as "deviceIds" from (
      select ecpd_id, device_id from left_line where left_at < ${before} order by left_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, deviceIds } of old)
    deleted += await db.exec(sql`
      delete from left_line
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and left_at < ${before}`);
  return deleted;
}

/** A device in the time in which it had an identifier; null: without a limit. Both ends belong to it. */
export interface HeldSpan {
  readonly deviceId: string;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The devices of all customers that had the identifier before, with the times. */
export const listFormerHolders = (db: Db, { kind, value }: DeviceId) =>
  db.many<HeldSpan & Pick<DeviceKey, 'ecpdId'>>(sql`
    select ecpd_id as "ecpdId", device_id as "deviceId", from_at as "from", to_at as "to" from earlier_owner
    where kind = ${kind} and value = ${value} order by to_at`);

/** Columns device_id, from_at and to_at, for a statement that concerns only these times. */
export const unnestSpans = (spans: readonly HeldSpan[]): Query => sql`
  unnest(${plainArray(spans.map(({ deviceId }) => deviceId))}::uuid[],
    ${plainArray(spans.map(({ from }) => from ?? '-infinity'))}::timestamptz[],
    ${plainArray(spans.map(({ to }) => to ?? 'infinity'))}::timestamptz[])`;

/** Deletes the plans of deleted lines together with the last row about their owners. */
const deletePlansOfGone = (db: Db, ecpdId: string, deviceIds: readonly string[]) =>
  db.exec(sql`
    delete from device_plan p where p.ecpd_id = ${ecpdId} and p.device_id = any(${plainArray(deviceIds)}::uuid[])
      and not exists (select 1 from device d where d.ecpd_id = ${ecpdId} and d.device_id = p.device_id)
      and not exists (select 1 from earlier_owner o where o.ecpd_id = ${ecpdId} and o.device_id = p.device_id)`);

export async function deleteOwnersOfAccount(db: Db, { ecpdId, accountName }: Tenant): Promise<void> {
  const gone = await db.many<{ deviceId: string }>(sql`
    with gone as (
      delete from earlier_owner where ecpd_id = ${ecpdId} and account_name = ${accountName} returning device_id)
    select distinct device_id as "deviceId" from gone`);
  await deletePlansOfGone(
    db,
    ecpdId,
    gone.map(({ deviceId }) => deviceId),
  );
}

/**
 * For the feature that stores usage: older records are no longer accepted. The query across profiles takes no locks.
 * Returns how many rows were deleted.
 */
export async function deleteOldOwners(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string; deviceIds: string[] }>(sql`
    select ecpd_id as "ecpdId", array_agg(distinct device_id) as "deviceIds" from (
      select ecpd_id, device_id from earlier_owner where to_at < ${before} order by to_at limit ${limit}) oldest
    group by ecpd_id`);
  let deleted = 0;
  for (const { ecpdId, deviceIds } of old) {
    deleted += await db.exec(sql`
      delete from earlier_owner
      where ecpd_id = ${ecpdId} and device_id = any(${plainArray(deviceIds)}::uuid[]) and to_at < ${before}`);
    await deletePlansOfGone(db, ecpdId, deviceIds);
  }
  return deleted;
}

/**
 * For a statement that has `written` devices, or is about to delete them: stores each one whose state, plan or start of
 * the plan has changed. A device that was never on a plan does not count as a line.
 */
export const lineChanges = (ecpdId: string, at: Date, written: Query) => sql`
    line as materialized (
    select * from (${written}) l
    where (l.was_plan is not null or l.service_plan is not null)
      and (l.was_state, l.was_plan, l.was_since) is distinct from (l.state, l.service_plan, l.plan_since)),
    numbered_line as materialized (select nextval('line_change_change_no_seq') as change_no, * from line),
    noted_line as (
    insert into line_change (ecpd_id, change_no, account_name, device_id, at, was_state, was_plan, was_since, state, plan_code)
    overriding system value
    select p.ecpd_id, l.change_no, l.account_name, l.device_id, ${at}, l.was_state, l.was_plan, l.was_since, l.state,
      l.service_plan
    from numbered_line l join profile p on p.ecpd_id = ${ecpdId})`;

export const deleteLineChangesOfAccount = (db: Db, { ecpdId, accountName }: Tenant) =>
  db.exec(sql`delete from line_change where ecpd_id = ${ecpdId} and account_name = ${accountName}`);

/** Works like `deleteOldOwners`. */
export async function deleteOldLineChanges(db: Db, before: Date, limit: number): Promise<number> {
  const old = await db.many<{ ecpdId: string }>(sql`
    select p.ecpd_id as "ecpdId" from profile p
    where exists (select 1 from line_change c where c.ecpd_id = p.ecpd_id and c.at < ${before})
    order by p.ecpd_id limit ${limit}`);
  let deleted = 0;
  for (const { ecpdId } of old)
    deleted += await db.exec(sql`
      delete from line_change where ecpd_id = ${ecpdId} and change_no in (
        select change_no from line_change where ecpd_id = ${ecpdId} and at < ${before} order by at limit ${limit})`);
  return deleted;
}
