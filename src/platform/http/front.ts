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

/** Time to receive a whole request: a sender of drops cannot hold a connection for ever. */
export const REQUEST_MS = 10 * 60_000;
/** Longer than balancers keep theirs, so that it is they who end a connection. */
const KEEP_ALIVE_MS = 72_000;
/** Requests that wait while what answers is exchanged; each has a connection of its own. */
const HELD_MAX = 1_000;
const [POLL_MS, CLOSE_IDLE_MS] = [5, 20];

interface FrontOptions {
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

type Answers = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The port of the service. It stays open while what answers behind it is exchanged: requests then wait, and connections
 * are kept.
 */
export class Front {
  readonly bodies = new UnreadBodies();
  readonly #tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** One for each address of a name that has several. */
  readonly #servers: Server[] = [];
  readonly #underWay = new Set<ServerResponse>();
  #held: (() => void)[] = [];
  #answers: Answers | undefined;

  constructor({ tls }: FrontOptions = {}) {
    this.#tls = tls && { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  }

  /** Resolves with the address that a program of this machine calls. */
  async listen(host: string, port: number): Promise<string> {
    const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
    let bound = port;
    for (const { address } of addresses) bound = await this.#listenAt(address, bound);
    const name = ['0.0.0.0', '::'].includes(host) ? { '0.0.0.0': '127.0.0.1', '::': '::1' }[host]! : host;
    return `${this.#tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${bound}`;
  }

  async #listenAt(host: string, port: number): Promise<number> {
    const server = this.#tls ? createTlsServer(this.#tls) : createServer();
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
    this.#underWay.add(response);
    response.once('close', () => this.#underWay.delete(response));
    answers(request, response);
  }

  /** From now on, and what has waited. */
  serve(answers: Answers): void {
    this.#answers = answers;
    for (const go of this.#held.splice(0)) go();
  }

  /** What comes from now on waits until somebody serves it. */
  hold(): void {
    this.#answers = undefined;
  }

  /** Until nothing is under way but `kept`. After `withinMs` the connections of the others are cut. */
  async drain(kept: ServerResponse | undefined, withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    const others = () => [...this.#underWay].filter((response) => response !== kept);
    while (others().length > 0 && performance.now() < untilMs) await sleep(POLL_MS);
    for (const { socket } of others()) socket?.destroy();
  }

  /** Takes no connection any more, and waits for what is under way, so long at most. */
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
    // A connection that has had its last answer would else be kept for the next request.
    for (; !isClosed; await Promise.race([closed, sleep(CLOSE_IDLE_MS)]))
      this.#each((server) => server.closeIdleConnections());
    clearTimeout(patience);
  }

  #each(act: (server: Server) => void): void {
    for (const server of this.#servers) act(server);
  }
}
