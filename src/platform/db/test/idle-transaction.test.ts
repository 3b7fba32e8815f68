import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../db.ts';
import { isUnavailable } from '../failures.ts';
import { sql } from '../sql.ts';

const own = await createTestDatabase();
const silent = openDatabase(own.url, { statementTimeoutMs: 300 });
const other = openDatabase(own.url);
after(async () => {
  await silent.close();
  await other.close();
  await own.drop();
});
await other.exec(sql`create table counted (n int)`);
await other.exec(sql`insert into counted values (0)`);
const count = sql`update counted set n = n + 1`;

describe('a transaction whose process sends nothing more', () => {
  it('releases its locks after its time limit, and cannot write afterwards', async () => {
    const [locked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = silent.tx(async (tx) => {
      await tx.exec(count);
      locked.resolve();
      await goOn.promise;
      await tx.exec(count);
    });
    await locked.promise;
    await other.exec(count);
    goOn.resolve();
    await assert.rejects(held, isUnavailable);
    assert.deepEqual(await other.one(sql`select n from counted`), { n: 1 });
  });
});
