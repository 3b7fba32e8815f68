import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CONNECT_TIMEOUT_MS } from '../../../features/callbacks/index.ts';
import { askDns, hostsFile, LOOKUP_MS, parseHosts, systemResolver } from '../resolve-host.ts';

/** A name server that ignores names containing "dead", and answers 127.0.0.1 and ::1 for all others. */
async function nameServer(t: TestContext): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    if (question.includes('dead')) return;
    const end = question.indexOf(0, 12) + 5;
    const isA = question.readUInt16BE(end - 4) === 1;
    const address = isA ? Buffer.from([127, 0, 0, 1]) : Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);
    const head = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, isA ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, address.length]);
    socket.send(
      Buffer.concat([question.subarray(0, 2), head, question.subarray(12, end), record, address]),
      from.port,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

describe('names of listeners', () => {
  // proves callbacks/name-resolution
  it('localhost and every name under it are loopback without a lookup', async () => {
    const resolve = systemResolver();
    for (const name of ['localhost', 'localhost.', 'a.localhost'])
      assert.deepEqual(await resolve(name), ['127.0.0.1', '::1'], name);
  });

  it('the hosts file is read with comments, several names and several lines for one name', () => {
    const hosts = parseHosts('# all\n10.0.0.1 One two # three\r\n\n::1\tone\nnonsense four\n10.0.0.9\n');
    assert.deepEqual(
      [...hosts],
      [
        ['one', ['10.0.0.1', '::1']],
        ['two', ['10.0.0.1']],
      ],
    );
  });

  // proves callbacks/name-resolution
  it('a hosts file answers for its names, and a missing one has none', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 listener.test\n');
    const find = hostsFile(join(folder, 'hosts'));
    assert.deepEqual(await find('listener.test'), ['127.0.0.1']);
    assert.deepEqual(await find('other.test'), []);
    assert.deepEqual(await hostsFile(join(folder, 'none'))('listener.test'), []);
  });

  it('names without an answer are given up before the time to connect is over, and delay no others', async (t) => {
    const ask = askDns([await nameServer(t)]);
    assert.ok(LOOKUP_MS < CONNECT_TIMEOUT_MS);
    const dead = Array.from({ length: 40 }, (_, n) => ask(`dead${n}.test`));
    assert.deepEqual(await Promise.race([ask('alive.test'), ...dead]), ['127.0.0.1', '::1']);
    for (const addresses of await Promise.all(dead)) assert.deepEqual(addresses, []);
  });
});
