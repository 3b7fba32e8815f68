import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { Front } from '../front.ts';

const front = new Front({ headMs: 200 });
front.serve((_request, response) => void response.end('served'));
const url = new URL(await front.listen('127.0.0.1', 0));
after(() => front.close(0));

/** Everything that a connection gets before the service ends it. */
async function receivedAfter(sent: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  if (sent !== '') socket.write(sent);
  await once(socket, 'end');
  socket.destroy();
  return text;
}

describe('a connection', () => {
  // proves requests/silent-connections
  it('ends in time if it sends nothing, however many there are', async () => {
    for (const text of await Promise.all(Array.from({ length: 200 }, () => receivedAfter(''))))
      assert.match(text, /^HTTP\/1\.1 408 /);
  });

  // proves requests/silent-connections
  it('ends in time if the head of its request does not end', async () =>
    assert.match(await receivedAfter('GET / HTTP/1.1\r\nHost: x\r\nX-'), /^HTTP\/1\.1 408 /));

  it('is served, and kept for the next request', async () => {
    for (let nth = 0; nth < 2; nth++) assert.equal(await (await fetch(url)).text(), 'served');
  });
});
