import type pg from 'pg';
import { ConfigError } from '../platform/config/settings.ts';
import type { Distributing } from '../platform/db/migrate.ts';
import {
  listShardedTables,
  listUnplaced,
  type Placement,
  planShards,
  readShardedTables,
  readTables,
  SHARDING_SETTINGS,
} from '../platform/sharding/index.ts';

const ACCESS =
  'is asked by name or token before any profile is known, and joined with the others of its kind';
const ONE_ROW = 'is one row for the whole service';

/**
 * The placement of tables in a distributed database. Tables of a tenant are placed by profile and need no
 * line here. Any other new table fails the audit until it has one.
 */
export const PLACEMENT: Placement = {
  key: 'ecpd_id',
  local: {
    access_server: 'has a row for each access server, which serves lines of all profiles',
    action_pause: ONE_ROW,
    client: ACCESS,
    client_token: ACCESS,
    console_session: ACCESS,
    domain_clock: ONE_ROW,
    idempotent_answer: 'belongs to a caller, who may have accounts in several profiles',
    login_allowance: ACCESS,
    login_failure: ACCESS,
    network_element: 'has a row for each element, which serves lines of all profiles',
    network_feed: 'has a row for each feed, which brings records of all profiles',
    network_feed_report: 'has a row for each process that takes a feed',
    node: 'has a row for each process',
    operator_key: ACCESS,
    position_source: 'has a row for each source, which locates lines of all profiles',
    radio_area: 'tells where an area is, whose lines are of all profiles',
    radio_cell: 'tells where a cell is, whose lines are of all profiles',
    schema_migration: 'tells what was done to the schema',
    serviceable_zip: 'is only ever asked by itself',
    session: ACCESS,
    simulated_network: ONE_ROW,
    simulated_orders: ONE_ROW,
    usage_file: 'names a file with records of all profiles',
    usage_file_mark: 'belongs to a file with records of all profiles',
    user_account: ACCESS,
    ws_user: ACCESS,
  },
  reference: {
    account_directory:
      'tells whose an account is: unique over all profiles, and asked before the profile is known',
    device_identifier: 'tells whose a device is: unique over all profiles, and joined with devices of each',
    earlier_owner: 'tells whose a device was, and is asked like the one before',
    plan: 'is small, belongs to nobody, and devices of every profile refer to it',
  },
  dropped: {
    user_account: {
      user_account_ecpd_id_account_name_fkey: 'deleting an account takes it away from its users by itself',
    },
  },
  triggers: ['consent_ledger_no_delete', 'consent_ledger_no_update'],
};

/** Tables that the coordinator reads itself, including its placements. */
export const OWN_TABLES: ReadonlySet<string> = new Set([
  ...[PLACEMENT.local, PLACEMENT.reference].flatMap((tables) => Object.keys(tables)),
  ...['pg_dist_node', 'pg_dist_placement', 'pg_dist_shard'],
]);

/** What migrations of this database need if it is distributed: each new table is placed like the others. */
export async function findDistributing(client: pg.Client): Promise<Distributing | undefined> {
  if ((await readShardedTables(client, PLACEMENT.key)) === undefined) return undefined;
  return {
    settings: SHARDING_SETTINGS,
    async place() {
      const { statements } = planShards(await readTables(client, PLACEMENT.key, true), PLACEMENT);
      for (const statement of statements) await client.query(statement);
    },
  };
}

/**
 * Whether the database is distributed. The service does not run on a partly distributed one: a new table on
 * the coordinator refers to rows that have moved, and would refuse every insert.
 */
export async function isSharded(url: string): Promise<boolean> {
  const tables = await listShardedTables(url, PLACEMENT.key);
  if (tables === undefined) return false;
  const unplaced = listUnplaced(tables, PLACEMENT);
  if (unplaced.length > 0)
    throw new ConfigError(
      `The database is distributed, but for ${unplaced.join(', ')}: stop every process and run linekeeper shard.`,
    );
  return true;
}
