import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import { withDatabases } from '../index.ts';

test('databases are listed while others come and go', async () => {
  const { url, drop } = await createTestDatabase();
  const kept = `kept ${process.pid}`;
  let isOver = false;
  const comeAndGo = withDatabases(url, async (databases) => {
    await databases.create(kept);
    for (let n = 0; n < 20; n++) {
      await databases.create(`other ${process.pid} ${n}`);
      await databases.dropIfThere(`other ${process.pid} ${n}`);
    }
  }).finally(() => {
    isOver = true;
  });
  await withDatabases(url, async (databases) => {
    for (let tries = 0; !isOver && tries < 100_000; tries++) {
      const listed = await databases.list('kept ');
      assert.ok(listed.every(({ bytes }) => bytes > 0));
    }
    await comeAndGo;
    assert.ok((await databases.names('kept ')).includes(kept));
    await databases.dropIfThere(kept);
    assert.ok(!(await databases.names('kept ')).includes(kept));
  });
  await drop();
});
