import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { TestContext } from 'node:test';
import type { OutgoingCallback } from '../../../features/callbacks/send-callback.ts';
import { type CallbackHttpOptions, createCallbackHttp } from '../index.ts';

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Number of connections accepted so far. */
  connections(): number;
  /** Number of open connections. */
  open(): number;
  /** Closes the open connections, and continues to listen. */
  hangUp(): void;
}

const listens = (server: NetServer, port: number) =>
  new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });

/** Ports are tried in turn, because other test files run at the same time. */
async function started(t: TestContext, server: NetServer, scheme: string, ports = [0]): Promise<Listener> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  for (const port of ports) if (await listens(server, port)) break;
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    server.close();
    hangUp();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    connections: () => connections,
    open: () => sockets.size,
    hangUp,
  };
}

export const httpListener = (t: TestContext, answer: RequestListener) =>
  started(t, createServer(answer), 'http');

export const tcpListener = (t: TestContext, onSocket: (socket: Socket) => void, ports?: number[]) =>
  started(t, createTcpServer(onSocket), 'http', ports);

export function httpsListener(
  t: TestContext,
  pair: { readonly key: string; readonly cert: string },
  answer: RequestListener = (_request, response) => response.end('ok'),
) {
  return started(t, createTlsServer({ ...pair }, answer), 'https');
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The adapter with loopback allowed, closed after the test. */
export function makeHttp(t: TestContext, options: Partial<CallbackHttpOptions> = {}) {
  const http = createCallbackHttp({ allow: ['loopback'], ...options });
  t.after(() => http.close());
  return http;
}

export const post = (url: string, more: Partial<OutgoingCallback> = {}): OutgoingCallback => ({
  url,
  body: '{}',
  headers: { 'content-type': 'application/json' },
  ...more,
});
