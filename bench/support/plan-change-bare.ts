import type pg from 'pg';
import { ACCOUNT } from '../../test/support/fleet.ts';

export const BATCH = 1_000;
const PROFILE = '9000001';

/** What a plan change writes besides devices and messages, with queries for its newest rows: by request or for each device. */
const WRITTEN: Readonly<Record<string, string>> = {
  device_plan: `select distinct on (device_id) * from device_plan where ecpd_id = '${PROFILE}' order by device_id, change_id desc`,
  line_change: `select distinct on (device_id) * from line_change where ecpd_id = '${PROFILE}' order by device_id, change_no desc`,
  audit_entry: `select distinct on (target) * from audit_entry where account_name = '${ACCOUNT}' and action = 'changeServicePlan'
    order by target, entry_id desc`,
  carrier_request_device: `select * from carrier_request_device where request_id = '$request'`,
  callback_failed: `select f.* from callback_failed f join callback_message m on m.ecpd_id = f.ecpd_id and m.message_id = f.message_id
    where m.request_id = '$request'`,
};

/** Creates tables with the same columns and indexes, without foreign keys. */
export async function createBare(client: pg.Client): Promise<void> {
  for (const table of ['device', 'callback_message', ...Object.keys(WRITTEN)])
    await client.query(`create table bare_${table} (like ${table} including all)`);
  await client.query('insert into bare_device overriding system value select * from device');
}

/** Keeps the rows that the request wrote; this is not timed. */
async function keepWritten(client: pg.Client, requestId: string): Promise<void> {
  for (const [table, rows] of Object.entries(WRITTEN)) {
    await client.query(`truncate bare_${table}`);
    await client.query(`drop table if exists kept_${table}`);
    await client.query(`create table kept_${table} as select row_number() over () as nth, row(t.*)::${table} as kept
      from (${rows.replace('$request', requestId)}) t`);
    await client.query(`create index on kept_${table} (nth)`);
  }
}

export interface BareChange {
  readonly requestId: string;
  readonly servicePlan: string;
  /** All rows that a change writes, or only devices and messages. */
  readonly all: boolean;
}

/** Updates the same devices and inserts the same rows, a thousand at a time. Returns the milliseconds. */
export async function changeBare(
  client: pg.Client,
  { requestId, servicePlan, all }: BareChange,
): Promise<number> {
  const { rows: messages } = await client.query(
    `select message_id, payload from callback_message where request_id = $1 order by message_id`,
    [requestId],
  );
  const { rows: known } = await client.query(
    'select device_id from device where account_name = $1 order by 1',
    [ACCOUNT],
  );
  // In rounds that begin with this side, the messages are those of the previous round and already exist in the table.
  await client.query('truncate bare_callback_message');
  if (all) await keepWritten(client, requestId);
  const startedAt = performance.now();
  for (let n = 0; n < known.length; n += BATCH) {
    await client.query('begin');
    await client.query(
      `update bare_device set service_plan = $1, plan_since = now(), last_updated = now(), version = version + 1,
         version_id = gen_random_uuid()
       where ecpd_id = '${PROFILE}' and device_id = any($2::uuid[])`,
      [servicePlan, known.slice(n, n + BATCH).map((row) => row.device_id)],
    );
    const batch = messages.slice(n, n + BATCH);
    await client.query(
      `insert into bare_callback_message (ecpd_id, message_id, account_name, service_name, request_id, payload, created_at)
       select '${PROFILE}', m, $1, 'CarrierService', $2, p, now() from unnest($3::uuid[], $4::text[]) as b (m, p)`,
      [ACCOUNT, requestId, batch.map((row) => row.message_id), batch.map((row) => row.payload)],
    );
    for (const table of all ? Object.keys(WRITTEN) : [])
      await client.query(
        `insert into bare_${table} overriding system value select (kept).* from kept_${table} where nth > $1 and nth <= $2`,
        [n, n + BATCH],
      );
    await client.query('commit');
  }
  return performance.now() - startedAt;
}
