import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { chunked, head, RawConnection } from '../../../test/support/raw-connection.ts';
import { makeCertificate } from '../../adapters/callback-http/test/certificates.ts';
import { type DropLimits, UnreadBodies } from './unread-bodies.ts';

const LONG: DropLimits = { keptBytes: 1024 * 1024, silenceMs: 60_000, wholeMs: 60_000, stoppingMs: 60_000 };
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.closeAllConnections();
});

/** A server that answers 401 to every request without reading its body. */
async function refuseAll(
  limits: Partial<DropLimits> = {},
  make: (answer: RequestListener) => Server = createServer,
) {
  const seen: string[] = [];
  const server = make((request, response) => {
    seen.push(request.url ?? '');
    setImmediate(() => response.writeHead(401, { 'content-length': 2 }).end('no'));
  });
  servers.push(server);
  // On a busy machine a sender may pause for longer than Node keeps an answered connection.
  server.keepAliveTimeout = LONG.silenceMs;
  const bodies = new UnreadBodies({ ...LONG, ...limits });
  bodies.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as { port: number };
  return { seen, bodies, server, port, connect: () => new RawConnection(port) };
}

const half = head('POST', '/first', { 'content-length': 1_000 });

describe('the rest of a body after its answer', () => {
  it('is read only until its sender has been silent for a while', async () => {
    const { connect } = await refuseAll({ silenceMs: 200 });
    const connection = connect();
    await connection.send(half);
    assert.equal((await connection.read()).status, 401);
    assert.equal(await connection.ended(), undefined);
  });

  it('is read only for a limited time, however slowly it arrives', async () => {
    const { connect } = await refuseAll({ wholeMs: 500 });
    const connection = connect();
    await connection.send(half);
    const dripping = setInterval(() => connection.socket.writable && connection.socket.write(' '), 50);
    assert.equal((await connection.read()).status, 401);
    await connection.ended();
    clearInterval(dripping);
  });

  it('closes the connection in order if it exceeds the limit, and later data is not a request', async () => {
    const { connect, seen } = await refuseAll({ keptBytes: 100_000 });
    const connection = connect();
    const parts = Array.from({ length: 64 }, () => Buffer.alloc(64 * 1024, ' '));
    const first = head('POST', '/first', { 'transfer-encoding': 'chunked' });
    await connection.send(first, ...chunked(...parts), head('GET', '/second', {}));
    assert.equal((await connection.read()).status, 401);
    assert.equal(await connection.ended(), undefined);
    assert.deepEqual(seen, ['/first']);
  });

  it('is read on when the connection ends just as it was about to go on after a pause', async () => {
    const { connect, bodies } = await refuseAll({}, () =>
      createServer(({ socket }) => {
        socket.pause().resume();
        bodies.endInOrder(socket, 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
      }),
    );
    const connection = connect();
    const parts = Array.from({ length: 256 }, () => Buffer.alloc(64 * 1024, ' '));
    await connection.send(head('POST', '/first', { 'transfer-encoding': 'chunked' }), ...chunked(...parts));
    assert.equal((await connection.read()).status, 401);
    assert.equal(await connection.ended(), undefined);
  });

  it('keeps the connection for the next request if it is within the limit', async () => {
    const { connect, seen } = await refuseAll();
    const connection = connect();
    const body = Buffer.alloc(1_000_000, ' ');
    await connection.send(
      head('POST', '/first', { 'content-length': body.length }),
      body,
      head('GET', '/second', {}),
    );
    assert.deepEqual([(await connection.read()).status, (await connection.read()).status], [401, 401]);
    assert.deepEqual(seen, ['/first', '/second']);
    connection.close();
  });

  it('is not read when the service stops', async () => {
    const { connect, bodies, server } = await refuseAll({ stoppingMs: 50 });
    const connection = connect();
    await connection.send(half);
    assert.equal((await connection.read()).status, 401);
    bodies.stop();
    server.close();
    await once(server, 'close');
    assert.equal(await connection.ended(), undefined);
  });

  it('does not cost a sender its answer if it half-closes the connection after sending', async () => {
    const { connect } = await refuseAll();
    const connection = connect();
    await connection.send(head('POST', '/first', { 'content-length': 1_000_000, connection: 'close' }));
    assert.equal((await connection.read()).status, 401);
    connection.socket.end();
    assert.equal(await connection.ended(), undefined);
  });

  it('is dropped over TLS too', async () => {
    const pair = await makeCertificate({});
    const { port } = await refuseAll({}, (answer) => createTlsServer(pair, answer) as unknown as Server);
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    const body = Buffer.alloc(1_000_000, ' ');
    socket.write(head('POST', '/first', { 'content-length': body.length, connection: 'close' }));
    socket.write(body);
    await once(socket, 'end');
    assert.match(answer, /^HTTP\/1.1 401 /);
    socket.destroy();
  });
});

describe('a connection', () => {
  it('is answering while any of its answers has begun and is incomplete', async () => {
    const sockets: Socket[] = [];
    const asked = Array.from({ length: 2 }, () => Promise.withResolvers<ServerResponse>());
    const server = createServer(({ socket }, response) => {
      asked[sockets.push(socket) - 1]!.resolve(response);
    });
    servers.push(server);
    const bodies = new UnreadBodies(LONG);
    bodies.attach(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close());
    const connection = new RawConnection((server.address() as { port: number }).port);
    await connection.send(head('GET', '/first', {}));
    const first = await asked[0]!.promise;
    const isAnswering = () => bodies.isAnswering(sockets[0]!);
    assert.equal(isAnswering(), false);
    first.writeHead(200, { 'content-length': 2 }).write('o');
    await connection.send(head('GET', '/second', {}));
    const second = await asked[1]!.promise;
    assert.equal(isAnswering(), true);
    const whole = once(first, 'finish');
    first.end('k');
    assert.equal((await connection.read()).status, 200);
    await whole;
    assert.equal(isAnswering(), false);
    second.end();
    assert.equal((await connection.read()).status, 200);
    connection.close();
  });
});
