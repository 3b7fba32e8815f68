import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FellSilent, readBody } from './body-stream.ts';

const SILENCE_MS = 300;
const listeners = (body: PassThrough) => ['data', 'readable'].map((event) => body.listenerCount(event));

async function readAll(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read).toString();
}

describe('a streamed body', () => {
  for (const [what, pack] of [
    ['plain', (text: string) => Buffer.from(text)],
    ['packed', (text: string) => gzipSync(text)],
  ] as const) {
    it(`that is ${what} is read completely`, async () => {
      const body = new PassThrough();
      body.end(pack('all of it'));
      assert.equal(await readAll(readBody({}, body, SILENCE_MS)), 'all of it');
    });

    it(`that is ${what} keeps no reader after its reader has stopped`, async () => {
      const body = new PassThrough();
      body.write(pack('x'.repeat(100_000)));
      for await (const chunk of readBody({}, body, SILENCE_MS)) {
        assert.ok(chunk.length > 0);
        break;
      }
      assert.deepEqual([listeners(body), body.destroyed], [[0, 0], false]);
      body.end('the rest');
      body.resume();
      await new Promise((resolve) => body.once('end', resolve));
    });
  }

  it('ends with a reason when its sender stops sending', async () => {
    const body = new PassThrough();
    body.write('something');
    await assert.rejects(readAll(readBody({}, body, SILENCE_MS)), FellSilent);
    assert.deepEqual(listeners(body), [0, 0]);
  });

  it('may arrive slowly', async () => {
    const body = new PassThrough();
    const read = readAll(readBody({}, body, SILENCE_MS));
    for (let n = 0; n < 8; n++) {
      body.write('.');
      await sleep(SILENCE_MS / 4);
    }
    body.end();
    assert.equal(await read, '........');
  });

  it('is not treated as silent while its reader is slow', async () => {
    const body = new PassThrough();
    body.write('1');
    let read = '';
    for await (const chunk of readBody({}, body, SILENCE_MS)) {
      read += chunk.toString();
      await sleep(SILENCE_MS * 2);
      if (read === '1') body.end('2');
    }
    assert.equal(read, '12');
  });

  it('is not treated as silent if it arrived while this process was busy', async () => {
    const body = new PassThrough();
    const read = readAll(readBody({}, body, SILENCE_MS));
    await new Promise(setImmediate);
    // The data is seen only after the timer, like bytes that wait in a socket.
    setTimeout(() => setImmediate(() => {}), 0);
    const until = performance.now() + SILENCE_MS * 2;
    process.nextTick(() => {
      while (performance.now() < until);
      process.nextTick(() => body.end('late'));
    });
    assert.equal(await read, 'late');
  });

  it('that has arrived is unpacked no further when its sender has gone', async () => {
    const socket = { destroyed: false };
    const body = Object.assign(new PassThrough(), { socket });
    body.end(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    let pieces = 0;
    const reading = async () => {
      for await (const _ of readBody({}, body, SILENCE_MS)) if (++pieces === 3) socket.destroyed = true;
    };
    await assert.rejects(reading, /went away/);
    assert.equal(pieces, 3);
  });

  it('that breaks off throws', async () => {
    const body = new PassThrough();
    const read = readAll(readBody({}, body, SILENCE_MS));
    body.write('some');
    setImmediate(() => body.destroy());
    await assert.rejects(read, /went away/);
  });
});
