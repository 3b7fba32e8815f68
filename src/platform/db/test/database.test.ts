import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { type Db, openDatabase } from '../db.ts';
import { isUnavailable } from '../failures.ts';
import { sql, upkeep } from '../sql.ts';
import { openProxy } from './proxy.ts';

const { url, drop } = await createTestDatabase();
const db = openDatabase(url, { connections: 5 });
after(async () => {
  await db.close();
  await drop();
});
await db.exec(sql`create table note (id int primary key, text text)`);
const texts = async () =>
  (await db.many<{ text: string }>(sql`select text from note order by id`)).map(({ text }) => text);
/** Repeats the read until it meets no cut connection. */
async function untilAvailable<T>(read: () => Promise<T>): Promise<T> {
  for (const endMs = Date.now() + 60_000; ; await sleep(20))
    try {
      return await read();
    } catch (error) {
      assert.ok(isUnavailable(error) && Date.now() < endMs, String(error));
    }
}

describe('the database', () => {
  it('commits a transaction completely or not at all', async () => {
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

  it('gives a transaction inside a transaction what it asks for, or refuses it', async () => {
    const settings = (tx: Db) =>
      tx.one(
        sql`select current_setting('enable_seqscan') as scan, current_setting('transaction_isolation') as level`,
      );
    await db.tx(async (outer) => {
      const inner = await outer.tx(settings, { onlyByIndex: true });
      assert.deepEqual(
        [inner, await settings(outer)].map((each) => (each as { scan: string }).scan),
        ['off', 'on'],
      );
      await assert.rejects(outer.tx(settings, { isolation: 'repeatable read' }), /is not repeatable read/);
    });
    const strict = { isolation: 'repeatable read', onlyByIndex: true } as const;
    const kept = await db.tx((outer) => outer.tx(settings, strict), strict);
    assert.deepEqual(kept, { scan: 'off', level: 'repeatable read' });
  });

  it('undoes the writes of a savepoint and keeps the transaction usable', async () => {
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

  for (const [what, waits] of Object.entries({
    write: sql`update note set text = 'second' where id = 1`,
    'read that locks': sql`select text from note where id = 1 for key share`,
  }))
    it(`does not let a ${what} hold up reads while it waits`, { timeout: 30_000 }, async () => {
      const held = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      const holder = db.tx(async (tx) => {
        await tx.exec(sql`select 1 from note where id = 1 for update`);
        locked.resolve();
        await held.promise;
      });
      await locked.promise;
      const waiting = db.exec(waits);
      await Promise.all(Array.from({ length: 20 }, texts));
      held.resolve();
      await Promise.all([holder, waiting]);
    });

  it('opens its connections again after they were cut, and reports itself as unavailable until then', async () => {
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
    assert.equal((await untilAvailable(texts)).length, 2);
  });

  it('forgets a cut connection once, and not the one that replaced it', async () => {
    const applicationName = 'test-cut';
    // Reads as soon as a connection is cut: the old one reports its end after the new one is open.
    const onError = () => void cutOff.many(sql`select 1`).catch(() => {});
    const cutOff = openDatabase(url, { applicationName, onError });
    const readNine = () => Promise.all(Array.from({ length: 9 }, () => cutOff.many(sql`select 1`)));
    for (let i = 0; i < 5; i++) {
      await untilAvailable(readNine);
      await db.exec(sql`
        with cut as (select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName})
        select count(*) from cut`);
    }
    await untilAvailable(readNine);
    const countThere = async () =>
      (
        await db.one<{ n: number }>(sql`
          select count(*)::int as n from pg_stat_activity where application_name = ${applicationName}`)
      ).n;
    // The cut connections may still be closing.
    for (let tries = 0; tries < 100 && (await countThere()) !== cutOff.countConnections().open; tries++)
      await sleep(50);
    assert.equal(await countThere(), cutOff.countConnections().open);
    await cutOff.close();
  });

  it('gives up waiting for a server that hangs, and reports it as unavailable', {
    timeout: 30_000,
  }, async () => {
    const proxy = await openProxy(url);
    const slow = openDatabase(proxy.url, { statementTimeoutMs: 100 });
    await slow.tx((tx) => tx.many(sql`select 1`));
    await slow.many(sql`select 1`);
    proxy.hang();
    const hung = (work: Promise<unknown>) => assert.rejects(work, isUnavailable);
    await Promise.all([
      hung(slow.many(sql`select 1`)),
      hung(slow.exec(sql`update note set text = text where id = 0`)),
      hung(slow.tx((tx) => tx.many(sql`select 1`))),
      hung(slow.exec(upkeep(sql`select 1`))),
    ]);
    proxy.resume();
    await slow.many(sql`select 1`);
    await slow.close();
    await proxy.close();
  });

  it('closes even if the server is gone and does not answer', { timeout: 30_000 }, async () => {
    const proxy = await openProxy(url);
    const left = openDatabase(proxy.url);
    await left.tx((tx) => tx.many(sql`select 1`));
    await left.many(sql`select 1`);
    await left.exec(upkeep(sql`select 1`));
    proxy.vanish();
    await left.close();
    await proxy.close();
  });

  it('closes even if a transaction with a long time limit waits for a server that is gone', {
    timeout: 30_000,
  }, async () => {
    const proxy = await openProxy(url);
    const left = openDatabase(proxy.url);
    const asked = Promise.withResolvers<void>();
    const patient = left.tx(async (tx) => {
      await tx.allowTime(15 * 60_000);
      proxy.vanish();
      const answer = tx.many(sql`select 1`);
      asked.resolve();
      await answer;
    });
    const failed = assert.rejects(patient, isUnavailable);
    await asked.promise;
    await left.close();
    await failed;
    await proxy.close();
  });

  it('gives a transaction more time on request, here and on the server', async () => {
    const hurried = openDatabase(url, { statementTimeoutMs: 100 });
    const nap = sql`select pg_sleep(2.5)`;
    await assert.rejects(
      hurried.tx((tx) => tx.exec(nap)),
      /statement timeout/,
    );
    await hurried.tx((outer) =>
      outer.tx(async (tx) => {
        await tx.allowTime(60_000);
        await tx.exec(nap);
      }),
    );
    await assert.rejects(hurried.allowTime(1), /needs a transaction/);
    await hurried.close();
  });

  it('does not let upkeep wait behind transactions', { timeout: 30_000 }, async () => {
    const held = Promise.withResolvers<void>();
    const busy = openDatabase(url, { connections: 5 });
    const begun = Array.from({ length: busy.transactionsMax }, () => Promise.withResolvers<void>());
    const holders = begun.map(({ resolve }) =>
      busy.tx(() => {
        resolve();
        return held.promise;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    const kept = busy.exec(upkeep(sql`update note set text = text where id = 1`));
    assert.equal(await kept, 1);
    held.resolve();
    await Promise.all(holders);
    await busy.close();
  });

  it('reports a missing server as unavailable', async () => {
    const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/none');
    await assert.rejects(nowhere.many(sql`select 1`), isUnavailable);
    await assert.rejects(
      nowhere.tx(async (tx) => tx.many(sql`select 1`)),
      isUnavailable,
    );
    await nowhere.close();
  });
});
