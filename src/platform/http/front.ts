import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuseUnreadable } from './framework-errors.ts';
import { createServer } from './node-http.ts';
import { UnreadBodies } from './unread-bodies.ts';

/** Time limit for receiving a whole request, so that a slow sender cannot hold a connection forever. */
export const REQUEST_MS = 10 * 60_000;
/** For the TLS handshake, and for the head of a first request; a connection that sends nothing ends with it. */
const HEAD_MS = 10_000;
const CHECKED_EVERY_MS = 1_000;
/** Longer than load balancers keep connections, so that they close them first. */
const KEEP_ALIVE_MS = 72_000;
/** Limit for requests that wait while the service behind the port is replaced; each has its own connection. */
const HELD_MAX = 1_000;
const [POLL_MS, CLOSE_IDLE_MS] = [5, 20];

interface FrontOptions {
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly headMs?: number;
}

type Answers = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The port of the service. It stays open while the service behind it is replaced: requests wait, and connections are
 * kept.
 */
export class Front {
  readonly bodies = new UnreadBodies();
  readonly #tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly #headMs: number;
  /** One server for each address of a name. */
  readonly #servers: Server[] = [];
  readonly #inProgress = new Set<ServerResponse>();
  #held: (() => void)[] = [];
  #answers: Answers | undefined;

  constructor({ tls, headMs = HEAD_MS }: FrontOptions = {}) {
    this.#headMs = headMs;
    this.#tls = tls && { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  }

  /** Resolves with the address for programs on this machine. */
  async listen(host: string, port: number): Promise<string> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    let bound = port;
    for (const { address } of addresses) bound = await this.#listenAt(address, bound);
    const name = ['0.0.0.0', '::'].includes(host) ? { '0.0.0.0': '127.0.0.1', '::': '::1' }[host]! : host;
    return `${this.#tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${bound}`;
  }

  async #listenAt(host: string, port: number): Promise<number> {
    const limits = {
      headersTimeout: this.#headMs,
      handshakeTimeout: this.#headMs,
      connectionsCheckingInterval: Math.min(this.#headMs, CHECKED_EVERY_MS),
    };
    const server = this.#tls ? createTlsServer({ ...limits, ...this.#tls }) : createServer(limits);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.requestTimeout = REQUEST_MS;
    this.bodies.attach(server);
    server.on('request', (request, response) => this.#take(request, response));
    server.on('clientError', (error, socket) =>
      refuseUnreadable(error, socket as IncomingMessage['socket'], this.bodies),
    );
    server.listen(port, host);
    await once(server, 'listening');
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#answers !== undefined) this.#give(this.#answers, request, response);
    else if (this.#held.length < HELD_MAX) this.#held.push(() => this.#take(request, response));
    else response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end();
  }

  #give(answers: Answers, request: IncomingMessage, response: ServerResponse): void {
    this.#inProgress.add(response);
    response.once('close', () => this.#inProgress.delete(response));
    answers(request, response);
  }

  /** Serves requests from now on, starting with those that waited. */
  serve(answers: Answers): void {
    this.#answers = answers;
    for (const resume of this.#held.splice(0)) resume();
  }

  /** New requests wait from now on. */
  hold(): void {
    this.#answers = undefined;
  }

  /** Waits until only `kept` is in progress. After `withinMs` the connections of the others are cut. */
  async drain(kept: ServerResponse | undefined, withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    const others = () => [...this.#inProgress].filter((response) => response !== kept);
    while (others().length > 0 && performance.now() < untilMs) await sleep(POLL_MS);
    for (const { socket } of others()) socket?.destroy();
  }

  /** Accepts no new connections, and waits at most `graceMs` for requests in progress. */
  async close(graceMs: number): Promise<void> {
    this.bodies.stop();
    let isClosed = false;
    const closed = Promise.all(
      this.#servers.map((server) => new Promise((resolve) => server.close(resolve))),
    );
    void closed.then(() => {
      isClosed = true;
    });
    const patience = setTimeout(() => this.#each((server) => server.closeAllConnections()), graceMs);
    // Connections after their last answer would otherwise stay open for the next request.
    for (; !isClosed; await Promise.race([closed, sleep(CLOSE_IDLE_MS)]))
      this.#each((server) => server.closeIdleConnections());
    clearTimeout(patience);
  }

  #each(act: (server: Server) => void): void {
    for (const server of this.#servers) act(server);
  }
}
