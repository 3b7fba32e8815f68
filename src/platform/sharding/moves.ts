import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const POLL_MS = 1_000;

interface Rebalancing {
  readonly state: string;
  readonly moves: number;
  readonly done: number;
  readonly failure: string | null;
}

/** The tasks of the newest run: one for each group of shards that moves. */
const STATUS = `
  select j.state::text as state, count(t.*)::int as moves, (count(*) filter (where t.status = 'done'))::int as done,
    min(t.message) filter (where t.status = 'error') as failure
  from pg_dist_background_job j left join pg_dist_background_task t using (job_id)
  where j.job_id = $1 group by j.state`;
const ENDED = new Set(['finished', 'cancelled', 'failed']);

class MoveError extends Error {}

/** Rebalances the shards over all workers while the service runs. Returns how many groups of shards have moved. */
export async function rebalance(client: pg.Client, say: (line: string) => void): Promise<number> {
  const { rows } = await client.query<{ job: string | null }>('select citus_rebalance_start()::text as job');
  const job = rows[0]?.job ?? null;
  if (job === null) return 0;
  for (let before = -1; ; await sleep(POLL_MS)) {
    const { state, moves, done, failure } = (await client.query<Rebalancing>(STATUS, [job])).rows[0]!;
    if (done !== before) say(`${done} of ${moves} groups of shards have moved`);
    before = done;
    if (state === 'finished') return done;
    if (ENDED.has(state))
      throw new MoveError(`The rebalancing has ${state}${failure === null ? '' : `: ${failure.trim()}`}.`);
  }
}

interface Shard {
  readonly shardId: string;
  /** No other profile can be in the shard. */
  readonly isAlone: boolean;
  readonly host: string;
  readonly port: number;
}

const SHARD_OF = `
  select s.shardid::text as "shardId", s.shardminvalue = s.shardmaxvalue as "isAlone", n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
  where s.shardid = get_shard_id_for_distribution_column($1, $2::text)`;

/** The workers that may have shards, by the size of their data without the given group of shards: the emptiest first. */
const WORKERS = `
  select n.nodename as host, n.nodeport as port from pg_dist_node n
  left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport and s.shardid not in (
    select o.shardid from pg_dist_shard o join pg_dist_shard g on g.shardid = $1
      and (o.shardminvalue, o.shardmaxvalue) = (g.shardminvalue, g.shardmaxvalue))
  where n.groupid > 0 and n.noderole = 'primary' and n.isactive and n.shouldhaveshards
  group by 1, 2 order by coalesce(sum(s.shard_size), 0), 1, 2`;

interface Isolation {
  readonly table: string;
  readonly tenant: string;
  /** Writes of all customers in its shards wait until these are copied, instead of for moments. */
  readonly blockWrites: boolean;
}

/** The error of a server that does not let Citus read its log of changes. */
const NO_PLUGIN = /output plugin/;

async function giveOwnShards(client: pg.Client, { table, tenant, blockWrites }: Isolation): Promise<void> {
  const mode = blockWrites ? 'block_writes' : 'auto';
  try {
    await client.query(
      `select isolate_tenant_to_new_shard($1, $2::text, 'CASCADE', shard_transfer_mode => $3)`,
      [table, tenant, mode],
    );
  } catch (error) {
    if (!NO_PLUGIN.test((error as Error).message)) throw error;
    throw new MoveError(
      'The workers do not allow Citus as an output plugin: add citus to output_plugin_libraries on each of them, or run this with --block-writes: then writes of this customer and its neighbours wait until the rows are copied.',
      { cause: error },
    );
  }
}

/** Gives a customer its own shards, and puts them on the worker with the least other data. */
export async function isolate(
  client: pg.Client,
  isolation: Isolation,
  say: (line: string) => void,
): Promise<void> {
  const { table, tenant, blockWrites } = isolation;
  const find = async () => (await client.query<Shard>(SHARD_OF, [table, tenant])).rows[0]!;
  if (!(await find()).isAlone) {
    say(`giving ${tenant} shards of its own`);
    await giveOwnShards(client, isolation);
  }
  const shard = await find();
  const { rows } = await client.query<{ host: string; port: number }>(WORKERS, [shard.shardId]);
  const [target] = rows;
  if (target === undefined || (target.host === shard.host && target.port === shard.port)) {
    say(`${tenant} has shards of its own on ${shard.host}:${shard.port}`);
    return;
  }
  say(`moving them from ${shard.host}:${shard.port} to ${target.host}:${target.port}`);
  await client.query('select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, $6)', [
    shard.shardId,
    shard.host,
    shard.port,
    target.host,
    target.port,
    blockWrites ? 'block_writes' : 'auto',
  ]);
  say(`${tenant} has shards of its own on ${target.host}:${target.port}`);
}
