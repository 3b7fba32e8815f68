import { writeAudited } from '../../platform/context/audit.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { plainArray } from '../../platform/db/plain-array.ts';
import { nextId, type Query, sql } from '../../platform/db/sql.ts';
import { keepLeft, keepOwners, lineChanges } from './sql-history.ts';
import { asKept, detachSensors } from './sql-record.ts';

/** A move from one account to another of the same profile. */
export interface Move {
  readonly from: Tenant;
  readonly to: Tenant;
  readonly deviceIds: readonly string[];
  readonly changedBy: string;
}

/** Moves lines with all their data to another account. Call it in a transaction that has called `prepareMove` and locked them. */
export type MoveLines = (tx: Ctx, move: Move) => Promise<void>;

/** A separate query: an update of distributed tables cannot use a sequence. */
const nextListNumbers = (db: Db, count: number): Promise<bigint[]> =>
  db.values<bigint>(sql`
    select nextval('device_list_number_seq') as n from generate_series(1, ${count})`);

/** The line becomes the last in the lists of its new account, and its plan starts with the move. It loses its parent. */
const movedDevices = ({ from, to, deviceIds }: Move, numbers: readonly bigint[], at: Date): Query => sql`
    moved as (
      update device d set account_name = ${to.accountName}, came_at = ${at}, list_number = n.list_number,
        plan_since = case when d.service_plan is null then null else ${at}::timestamptz end,
        record = d.record - 'parentdeviceid', last_updated = ${at}, version = d.version + 1,
        version_id = ${nextId('d.version_id', at)}
      from device o, unnest(${plainArray(deviceIds)}::uuid[], ${plainArray(numbers)}::bigint[]) as n (device_id, list_number)
      where d.ecpd_id = ${from.ecpdId} and d.account_name = ${from.accountName} and d.device_id = n.device_id
        and o.ecpd_id = ${from.ecpdId} and o.device_id = d.device_id
      returning d.*, o.service_plan as was_plan, o.plan_since as was_since, o.version as was_version)`;

const movedIdentifiers = ({ from, to, deviceIds }: Move, at: Date): Query => sql`
    ended as (
      update device_identifier di set account_name = ${to.accountName}, since = ${at}
      from device_identifier o
      where di.ecpd_id = ${from.ecpdId} and di.account_name = ${from.accountName}
        and di.device_id = any(${plainArray(deviceIds)}::uuid[]) and o.kind = di.kind and o.value = di.value
        and o.ecpd_id = ${from.ecpdId}
      returning o.*),
    kept as (${keepOwners(sql`ended`, at)})`;

/** The old account loses the line, and the new one gains it. */
const bothSides = ({ from, to }: Move): Query => sql`
    select ${from.accountName}::text as account_name, device_id, state as was_state, was_plan, was_since, null as state,
      null as service_plan, null::timestamptz as plan_since from moved
    union all
    select ${to.accountName}, device_id, null, null, null, state, service_plan, plan_since from moved`;

/**
 * Moves the devices, their ownership and their history in one statement, with one time. The caller has locked them.
 * Sensors that have one of them as their parent lose it.
 */
export async function moveDevices(ctx: Ctx, move: Move): Promise<void> {
  const { from, to, changedBy } = move;
  const { ecpdId } = from;
  await detachSensors(ctx, ecpdId, move.deviceIds);
  await ctx.db.exec(sql`
    delete from device_place_of_use
    where ecpd_id = ${ecpdId} and device_id = any(${plainArray(move.deviceIds)}::uuid[])`);
  const numbers = await nextListNumbers(ctx.db, move.deviceIds.length);
  await writeAudited(
    ctx,
    ecpdId,
    'moveLine',
    // A cluster runs one part after the other, so the lines are read before they are changed.
    (at) => sql`gone as materialized (
      select * from device
      where ecpd_id = ${ecpdId} and account_name = ${from.accountName}
        and device_id = any(${plainArray(move.deviceIds)}::uuid[])),
    ${movedDevices(move, numbers, at)}, ${movedIdentifiers(move, at)},
    remembered as (${keepLeft(ecpdId, sql`gone`, at)}),
    history as (
      insert into device_plan (ecpd_id, device_id, since, plan_code, cause, changed_at, changed_by)
      select ${ecpdId}, device_id, ${at}, service_plan, 'move', ${at}, ${changedBy} from moved
      where service_plan is not null),
    ${lineChanges(ecpdId, at, bothSides(move))}`,
    sql`select device_id::text as target, ${from.accountName}::text as account_name,
          jsonb_build_object('accountName', ${from.accountName}::text, 'version', was_version::text) as before,
          jsonb_build_object('accountName', ${to.accountName}::text) as after
        from moved
        union all
        select device_id::text, ${to.accountName}, jsonb_build_object('accountName', ${from.accountName}::text),
          ${asKept('moved')} || jsonb_build_object('accountName', account_name, 'version', version::text)
        from moved`,
  );
}
