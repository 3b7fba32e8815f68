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
  it('does not go by whoever else is connected, or by who asks', async () => {
    await connect('psql');
    assert.equal(await whyInUse(asking), undefined);
  });

  it('tells of a pooler where only such connections are left as it keeps', async () => {
    await connect('linekeeper-api');
    assert.match((await whyInUse(asking))!, /\(linekeeper-api\); stop all its processes .* RECONNECT/);
  });

  it('says nothing of it while a process runs', async () => {
    await connect('linekeeper-listen');
    assert.equal(
      await whyInUse(asking),
      'Linekeeper still uses this database (linekeeper-api, linekeeper-listen); stop all its processes first.',
    );
  });
});
