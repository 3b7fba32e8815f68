import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { isUnavailable, openDatabase } from '../db.ts';
import { sql } from '../sql.ts';

const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 5 });
after(async () => {
  await db.close();
  await drop();
});
await db.exec(sql`create table note (id int primary key, text text)`);
const texts = async () =>
  (await db.many<{ text: string }>(sql`select text from note order by id`)).map(({ text }) => text);

describe('the database', () => {
  it('keeps all of a transaction or nothing of it', async () => {
    await db.tx(async (tx) => {
      await tx.exec(sql`insert into note values (1, 'kept')`);
    });
    await assert.rejects(
      db.tx(async (tx) => {
        await tx.exec(sql`insert into note values (2, 'lost')`);
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.deepEqual(await texts(), ['kept']);
  });

  it('joins a transaction inside a transaction, so that one use-case is one commit', async () => {
    await assert.rejects(
      db.tx(async (outer) => {
        await outer.tx((inner) => inner.exec(sql`insert into note values (3, 'inner')`));
        throw new Error('outer failed');
      }),
    );
    assert.deepEqual(await texts(), ['kept']);
  });

  it('undoes what a savepoint wrote and lets the transaction go on', async () => {
    await db.tx(async (tx) => {
      await tx.savepoint((sp) => sp.exec(sql`insert into note values (1, 'clash')`)).catch(() => {});
      await tx.exec(sql`insert into note values (4, 'after')`);
    });
    assert.deepEqual(await texts(), ['kept', 'after']);
  });

  it('answers statements of one transaction sent together in their order', async () => {
    const [one, two] = await db.tx((tx) =>
      Promise.all([tx.one(sql`select 1 as n`), tx.one(sql`select 2 as n`)]),
    );
    assert.deepEqual([one, two], [{ n: 1 }, { n: 2 }]);
  });

  it('keeps bytes exact: a 64-bit integer is a bigint', async () =>
    assert.deepEqual(await db.one(sql`select 9007199254740993::int8 as n`), { n: 9007199254740993n }));

  it('does not let a write that waits for a lock hold up reads', async () => {
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = db.tx(async (tx) => {
      await tx.exec(sql`update note set text = 'held' where id = 1`);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const waiting = db.exec(sql`update note set text = 'second' where id = 1`);
    const reads = await Promise.race([
      Promise.all(Array.from({ length: 20 }, texts)),
      sleep(2_000, 'blocked'),
    ]);
    assert.notEqual(reads, 'blocked');
    held.resolve();
    await Promise.all([holder, waiting]);
  });

  it('opens its connections again after they were cut, and calls that what it is meanwhile', async () => {
    const cut = () =>
      db.exec(sql`
        with cut as (select pg_terminate_backend(pid) from pg_stat_activity
                     where datname = current_database() and pid <> pg_backend_pid())
        select count(*) from cut`);
    await texts();
    await cut();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        texts().then(
          () => 'read',
          (error) => error,
        ),
      ),
    );
    for (const outcome of outcomes) assert.ok(outcome === 'read' || isUnavailable(outcome), String(outcome));
    await sleep(100);
    assert.equal((await texts()).length, 2);
  });

  it('says of a server that is not there that it is unavailable', async () => {
    const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/none');
    await assert.rejects(nowhere.many(sql`select 1`), isUnavailable);
    await assert.rejects(
      nowhere.tx(async (tx) => tx.many(sql`select 1`)),
      isUnavailable,
    );
    await nowhere.close();
  });
});
