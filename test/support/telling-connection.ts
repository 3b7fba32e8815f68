import assert from 'node:assert/strict';
import pg from 'pg';
import type { Db } from '../../src/platform/db/db.ts';
import type { Query } from '../../src/platform/db/sql.ts';

/** One connection to a cluster, on which the coordinator logs what it sends to which node. `facts` is an open handle of the same database. */
export function openTellingConnection(databaseUrl: string, facts: Db) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options:
      '-c citus.log_remote_commands=on -c client_min_messages=notice -c citus.multi_shard_modify_mode=sequential',
  });
  const sent: { readonly text: string; readonly to: string }[] = [];
  client.on('notice', ({ message = '', detail = '' }) => {
    const [, text] = /^issuing ([\s\S]*)/.exec(message) ?? [];
    if (text !== undefined) sent.push({ text, to: /^on server (\S+)/.exec(detail)![1]! });
  });
  let asked = 0;
  const ask = (text: string, values: readonly unknown[] = []) => {
    asked++;
    return client.query(text, [...values]);
  };
  const run = ({ text, values }: Query) => ask(text, values);
  const many = async <Row>(query: Query) => (await run(query)).rows as Row[];
  const db: Db = {
    ...facts,
    many,
    maybe: async <Row>(query: Query) => (await many<Row>(query))[0],
    one: async <Row>(query: Query) => (await many<Row>(query))[0]!,
    values: async <T>(query: Query) => (await many<object>(query)).map((row) => Object.values(row)[0] as T),
    value: async <T>(query: Query) => (await db.values<T>(query))[0]!,
    maybeValue: async <T>(query: Query) => (await db.values<T>(query))[0],
    exec: async (query) => (await run(query)).rowCount ?? 0,
    async tx(work) {
      await ask('begin');
      const inner: Db = { ...db, tx: (more) => more(inner), allowTime: async () => {} };
      const result = await work(inner);
      await ask('commit');
      return result;
    },
  };

  /** Checks that `work` uses one worker, and commits there without a second phase. */
  async function staysOnOneWorker<T>(work: () => Promise<T>): Promise<T> {
    sent.length = 0;
    const result = await work();
    assert.ok(sent.length > 0, 'the coordinator tells what it sends');
    assert.equal(new Set(sent.map(({ to }) => to)).size, 1, sent.map(({ text }) => text).join('\n'));
    assert.deepEqual(
      sent.filter(({ text }) => text.startsWith('PREPARE TRANSACTION')),
      [],
    );
    return result;
  }

  /** The number of statements that `work` sends to the coordinator, and what the coordinator sends to which node. */
  async function countStatements(work: () => Promise<unknown>) {
    sent.length = 0;
    asked = 0;
    await work();
    return { asked, sent: [...sent] };
  }
  return { db, staysOnOneWorker, countStatements, open: () => client.connect(), close: () => client.end() };
}
