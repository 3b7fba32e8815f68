import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../db.ts';
import { isUnavailable } from '../failures.ts';
import { sql } from '../sql.ts';

const own = await createTestDatabase();
const target = new URL(own.url);

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const FIELDS = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
const FATAL = Buffer.concat([Buffer.from([0x45, 0, 0, 0, FIELDS.length + 4]), FIELDS]);

/** Passes everything on, but the server ends the first connection at the moment when it is ready. */
let opened = 0;
const proxy = createServer((client) => {
  const isFirst = opened++ === 0;
  const server = connect({ port: Number(target.port), host: target.hostname });
  for (const socket of [client, server]) socket.on('error', () => {});
  client.pipe(server);
  server.on('data', (chunk) => {
    if (isFirst && chunk.subarray(-READY.length).equals(READY)) client.end(Buffer.concat([chunk, FATAL]));
    else client.write(chunk);
  });
  server.on('close', () => client.destroy());
  client.on('close', () => server.destroy());
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const through = new URL(own.url);
through.port = String((proxy.address() as AddressInfo).port);
const db = openDatabase(through.href);
after(async () => {
  await db.close();
  proxy.close();
  await own.drop();
});

describe('a connection that the server ends while a transaction acquires it', () => {
  it('fails only that transaction as unavailable, and the next one gets another connection', async () => {
    const readOne = () => db.tx((tx) => tx.one<{ n: number }>(sql`select 1 as n`));
    await assert.rejects(readOne(), isUnavailable);
    assert.deepEqual(await readOne(), { n: 1 });
  });
});
