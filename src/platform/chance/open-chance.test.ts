import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { trueChance } from './chance.ts';
import { openChance } from './open-chance.ts';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const own = await createTestDatabase();
const db = openDatabase(own.url, { connections: 4 });
after(async () => {
  await db.close();
  await own.drop();
});
const epoch = async () =>
  (await db.maybe<{ nr: number }>(sql`select seed_epoch as nr from domain_clock`))?.nr;
const setEpoch = (nr: number) => db.exec(sql`update domain_clock set seed_epoch = ${nr}`);

describe('chance on a database', () => {
  it('is random without a seed, and leaves the database unchanged', async () => {
    assert.equal(await openChance(db, undefined), trueChance);
    assert.equal(await epoch(), undefined);
  });

  it('never repeats a value on the same database, in any process', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openChance(db, '7')));
    const drawn = opened.map((chance) => chance.of(() => 'a').newId());
    assert.equal(new Set(drawn).size, 5);
    assert.equal(await epoch(), 5);
  });

  it('draws the same values after a restore of the database, except those already in it', async () => {
    const openAndDraw = async () => (await openChance(db, '7')).of(() => 'a').newId();
    const before = await openAndDraw();
    const kept = (await epoch())!;
    const drawn: string[] = [];
    for (let time = 0; time < 2; time++) {
      await setEpoch(kept);
      drawn.push(await openAndDraw());
    }
    assert.equal(drawn[0], drawn[1]);
    assert.notEqual(drawn[0], before);
  });

  it('makes ids inside a statement: one for each row, and the same for the same work', async () => {
    const idsOf = async (nr: number) => {
      await setEpoch(nr);
      const chance = await openChance(db, '7');
      const rowId = chance.of(() => 'a').rowIds();
      return (
        await db.many<{ id: string }>(sql`select ${rowId(sql`n::text`)} as id from generate_series(1, 500) n`)
      ).map(({ id }) => id);
    };
    const [ids, again, other] = [await idsOf(20), await idsOf(20), await idsOf(30)];
    assert.deepEqual(again, ids);
    assert.equal(new Set([...ids, ...other]).size, 1_000);
    for (const id of ids) assert.match(id, VERSION_4);
  });
});
