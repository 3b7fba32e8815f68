import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import type { Failing } from './health.ts';

/** The status that a process reports with its beats. Another version may report less. */
interface NodeStatus {
  readonly failing?: readonly Failing[];
  readonly notices?: readonly Failing[];
  readonly [report: string]: unknown;
}

interface ListedNode {
  readonly nodeId: string;
  readonly role: string;
  readonly upSeconds: number;
  readonly silentSeconds: number;
  readonly status: NodeStatus | null;
}

const NODES_MAX = 1_000;

/** Every process seen within the last hour of the database's real time, the oldest first. */
export const listNodes = (db: Db) =>
  db.many<ListedNode>(sql`
    select node_id as "nodeId", role, extract(epoch from clock_timestamp() - started_at)::float8 as "upSeconds",
      greatest(0, extract(epoch from clock_timestamp() - seen_at))::float8 as "silentSeconds", status
    from node where seen_at > clock_timestamp() - interval '1 hour'
    order by started_at, node_id limit ${NODES_MAX}`);
