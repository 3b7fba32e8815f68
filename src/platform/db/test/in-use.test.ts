import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { whyInUse } from '../connection.ts';

const { url, drop } = await createTestDatabase();
const open: pg.Client[] = [];
async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  open.push(client);
  await client.connect();
  return client;
}
const asking = await connect('linekeeper-restore');
after(async () => {
  await Promise.all(open.map((client) => client.end()));
  await drop();
});

describe('whether the service uses a database', () => {
  it('ignores other programs, and the connection that asks', async () => {
    await connect('psql');
    assert.equal(await whyInUse(asking), undefined);
  });

  it('mentions a pooler if only connections remain that a pooler keeps open', async () => {
    await connect('linekeeper-api');
    assert.match((await whyInUse(asking))!, /\(linekeeper-api\); stop all its processes .* RECONNECT/);
  });

  it('does not mention a pooler while a process runs', async () => {
    await connect('linekeeper-listen');
    assert.equal(
      await whyInUse(asking),
      'Linekeeper still uses this database (linekeeper-api, linekeeper-listen); stop all its processes first.',
    );
  });
});
