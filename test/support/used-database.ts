import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from './with-client.ts';

/** A connection closed here ends a moment later on the server. */
const [GOODBYES, END_MS] = [30, 10];
/** Deleted rows leave pages behind, which the next reader of the table must scan. */
const GROWTH_MAX_BYTES = 1_048_576;
/** Changes to a database other than rows: an object was added, dropped or altered. */
const versions = (catalogue: string) =>
  `(select concat(count(*), '/', max(xmin::text::bigint)) from pg_${catalogue})`;
const CATALOGUES = ['attribute', 'constraint', 'trigger', 'proc', 'index', 'type', 'rewrite', 'extension'];
const SHAPE = `
  select concat_ws(' ', ${CATALOGUES.map(versions).join(', ')}, (select count(*) from pg_class),
    (select count(*) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'), (select count(*) from pg_db_role_setting),
    (select string_agg(m::text, ' ' order by m::text) from schema_migration m)) as shape`;

const EMPTY = `
  do $$ declare name text; begin
    set local session_replication_role = replica;
    for name in select oid::regclass::text from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migration'
        and pg_relation_size(oid) > 0
    loop execute 'delete from ' || name; end loop;
    perform setval(seqrelid, seqstart, false) from pg_sequence;
  end $$`;

const OTHERS = `
  select count(*)::int as n from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

interface Fresh {
  readonly shape: string;
  readonly bytes: number;
}

const look = async (client: pg.Client): Promise<Fresh> => {
  const size = 'select pg_database_size(current_database())::float8 as bytes';
  return {
    ...(await client.query<{ shape: string }>(SHAPE)).rows[0]!,
    ...(await client.query<{ bytes: number }>(size)).rows[0]!,
  };
};

async function isAlone(client: pg.Client): Promise<boolean> {
  for (let n = 0; n < GOODBYES; n++, await sleep(END_MS))
    if ((await client.query<{ n: number }>(OTHERS)).rows[0]!.n === 0) return true;
  return false;
}

/** The state of an unused database. */
export const lookAtFresh = (url: string): Promise<Fresh> => withClient(url, look);

/** Deletes all rows. False if more than rows was changed, in which case the database must not be reused. */
export const empty = (url: string, fresh: Fresh): Promise<boolean> =>
  withClient(url, async (client) => {
    const { shape, bytes } = await look(client);
    const isKept = shape === fresh.shape && bytes <= fresh.bytes + GROWTH_MAX_BYTES;
    if (!isKept || !(await isAlone(client))) return false;
    await client.query(EMPTY);
    return true;
  }).catch(() => false);
