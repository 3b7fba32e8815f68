import { readdirSync } from 'node:fs';
import type pg from 'pg';
import { residentMb } from './resident-memory.ts';

/** Their rows change but do not multiply, so their size must not grow. The other tables are ledgers, which grow by design. */
const STEADY_TABLES = [
  'callback_lane',
  'callback_pending',
  'device',
  'device_identifier',
  'device_reading',
  'rule_state',
  'usage_device_month',
];

/** The state of the service and its database at one moment. */
export interface Sample {
  readonly memoryMb: number;
  /** Open files and sockets of the service. */
  readonly files: number;
  readonly connections: number;
  /** Size of the steady tables. */
  readonly deadPercent: number;
  readonly tablesMb: number;
  readonly indexesMb: number;
  readonly callbacksWaiting: number;
  /** Size of the indexes of the steady tables, in MB. */
  readonly indexMb: Readonly<Record<string, number>>;
}

export async function takeSample(client: pg.Client, servicePid: number): Promise<Sample> {
  const { rows } = await client.query(
    `select (select count(*) from pg_stat_activity where datname = current_database()
         and backend_type = 'client backend' and pid <> pg_backend_pid())::float8 as connections,
       (100 * sum(n_dead_tup) / greatest(sum(n_live_tup + n_dead_tup), 1))::float8 as "deadPercent",
       (sum(pg_table_size(relid)) / 1048576)::float8 as "tablesMb",
       (sum(pg_indexes_size(relid)) / 1048576)::float8 as "indexesMb",
       (select count(*) from callback_pending)::float8 as "callbacksWaiting",
       (select json_object_agg(indexrelname, pg_relation_size(indexrelid) / 1048576.0) from pg_stat_user_indexes
        where relname = any($1)) as "indexMb"
     from pg_stat_user_tables where relname = any($1)`,
    [STEADY_TABLES],
  );
  return {
    memoryMb: residentMb(servicePid),
    files: readdirSync(`/proc/${servicePid}/fd`).length,
    ...rows[0],
  };
}

/** Counts the effects of the load, as proof that it did its work. */
export async function countEffects(client: pg.Client): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query(
    `select (select count(*) from usage_record)::float8 as "usage records", (select count(*) from firing)::float8 as firings,
       (select count(*) from smart_alert)::float8 as alerts, (select count(*) from device_plan)::float8 as "plans of lines",
       (select count(*) from device_suspension)::float8 as "suspended lines",
       (select count(*) from callback_message)::float8 as callbacks`,
  );
  return rows[0];
}
