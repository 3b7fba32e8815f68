import { execFileSync } from 'node:child_process';
import pg from 'pg';
import type { Db } from '../../src/platform/db/db.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { atNode } from './citus.ts';

/** The node with the rows of a profile. */
export const placeOf = (db: Db, ecpdId: string) =>
  db.one<{ host: string; port: number }>(sql`
    select n.nodename as host, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
    where p.shardid = get_shard_id_for_distribution_column('account', ${ecpdId}::text)`);

/** A worker that can be killed and started again: only where it runs on this machine, as its own user or as root. */
export async function controlWorker(url: string, place: { host: string; port: number }) {
  const client = new pg.Client(atNode(url, place));
  await client.connect();
  const { rows } = await client.query<{ folder: string; bin: string }>(
    `select current_setting('data_directory') as folder, (select setting from pg_config where name = 'BINDIR') as bin`,
  );
  await client.end();
  const { folder, bin } = rows[0]!;
  const control = (...args: readonly string[]) => {
    const command = [`${bin}/pg_ctl`, '-D', folder, '-w', ...args];
    if (process.getuid?.() !== 0) return execFileSync(command[0]!, command.slice(1), { stdio: 'ignore' });
    return execFileSync('runuser', ['-u', 'postgres', '--', ...command], { stdio: 'ignore', cwd: '/' });
  };
  return {
    kill: () => control('stop', '-m', 'immediate'),
    start: () => control('start', '-l', `${folder}.log`),
  };
}

/** Makes every statement on a table wait on one worker until it is released. */
export async function holdTable(url: string, place: { host: string; port: number }, table: string) {
  const client = new pg.Client(atNode(url, place));
  await client.connect();
  await client.query(
    'set citus.override_table_visibility = off; set citus.enable_manual_changes_to_shards = on',
  );
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relname ~ $1`,
    [`^${table}_[0-9]+$`],
  );
  await client.query('begin');
  await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
  return () => client.end();
}
