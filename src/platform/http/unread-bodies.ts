import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';

/** How much a sender may still send after its answer, and for how long. */
export interface DropLimits {
  /** Up to this much of a body is dropped to keep its connection; beyond it, the connection ends after the answer. */
  readonly keptBytes: number;
  /** A sender that sends nothing for this long has received the answer, or is gone. */
  readonly silenceMs: number;
  readonly wholeMs: number;
  /** Replaces both times when the service stops. */
  readonly stoppingMs: number;
}

const LIMITS: DropLimits = {
  keptBytes: 64 * 1024 * 1024,
  silenceMs: 5_000,
  wholeMs: 60_000,
  stoppingMs: 1_000,
};

/** The requests of a connection. */
interface Exchanges {
  /** A request begins only after the body before it is complete, so at most the newest is unread. */
  newest: IncomingMessage;
  /** More than one if further requests arrived before the answer to the first. */
  readonly unanswered: Set<ServerResponse>;
}

interface Patience {
  heard(): void;
  stop(): void;
}

/**
 * Many senders read nothing before they have sent everything. So after an answer to a partly read body, the rest is read
 * and dropped without parsing. Otherwise the next request on the connection would wait behind it, or the connection would
 * be reset and the answer lost with it.
 */
export class UnreadBodies {
  #limits: DropLimits;
  readonly #exchanges = new WeakMap<Socket, Exchanges>();
  readonly #dropping = new Map<Socket, Patience>();
  readonly #ending = new Map<Socket, Patience>();

  constructor(limits: DropLimits = LIMITS) {
    this.#limits = limits;
  }

  attach(server: Server): void {
    // After its last answer Node cuts a connection by `destroySoon`, and with it the rest of a body.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        if (this.#exchanges.get(socket)?.newest.complete) destroySoon();
        else this.endInOrder(socket);
      };
    });
    server.prependListener('request', (request, response) => {
      this.#begin(request, response);
      // Before Node's own listener, which would drop an unread body without a limit.
      response.prependOnceListener('finish', () => this.#dropRest(request));
    });
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const exchanges = this.#exchanges.get(socket) ?? { newest: request, unanswered: new Set() };
    exchanges.newest = request;
    exchanges.unanswered.add(response);
    response.once('close', () => exchanges.unanswered.delete(response));
    this.#exchanges.set(socket, exchanges);
  }

  /** Announced in the answer if possible: the connection ends after it. */
  endsConnection({ complete, headers }: IncomingMessage): boolean {
    return !complete && Number(headers['content-length'] ?? 0) > this.#limits.keptBytes;
  }

  /** Whether an answer has been sent only in part: nothing else can be sent then. */
  isAnswering(socket: Socket): boolean {
    for (const { headersSent, writableFinished } of this.#exchanges.get(socket)?.unanswered ?? [])
      if (headersSent && !writableFinished) return true;
    return false;
  }

  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket);
  }

  #dropRest(request: IncomingMessage): void {
    const { socket } = request;
    if (request.complete || socket.destroyed || this.#ending.has(socket)) return;
    const patience = this.#within(() => this.endInOrder(socket));
    this.#dropping.set(socket, patience);
    let droppedBytes = 0;
    detachReaders(request);
    request.on('data', ({ length }: Buffer) => {
      patience.heard();
      droppedBytes += length;
      if (droppedBytes > this.#limits.keptBytes) this.endInOrder(socket);
    });
    const done = () => this.#stopDropping(socket);
    request.once('end', done).once('close', done).resume();
  }

  #stopDropping(socket: Socket): void {
    this.#dropping.get(socket)?.stop();
    this.#dropping.delete(socket);
  }

  /** Sends the last words, and reads on until the peer has had time to receive them. */
  endInOrder(socket: Socket, lastWords = ''): void {
    if (this.#ending.has(socket)) return;
    this.#stopDropping(socket);
    const cut = () => void socket.destroy();
    const patience = this.#within(cut);
    this.#ending.set(socket, patience);
    const leave = () => (socket.writableFinished ? cut() : void socket.once('finish', cut));
    socket.once('end', leave).once('close', () => {
      patience.stop();
      this.#ending.delete(socket);
    });
    socket.end(lastWords);
    // Data from here on is not a request, and no longer reaches the parser. Only the parser's own listener makes a paused
    // connection read again, so it is paused, and taken over when that listener has run.
    socket.pause().once('resume', () => socket.removeAllListeners('data').on('data', patience.heard));
    socket.resume();
  }

  #within(onLate: () => void): Patience {
    const silence = setTimeout(onLate, this.#limits.silenceMs).unref();
    const whole = setTimeout(onLate, this.#limits.wholeMs).unref();
    return {
      heard: () => void silence.refresh(),
      stop: () => {
        clearTimeout(silence);
        clearTimeout(whole);
      },
    };
  }

  /** When the service stops, it waits only briefly for the rest of a body, and keeps no connection. */
  stop(): void {
    const soonMs = this.#limits.stoppingMs;
    this.#limits = { ...this.#limits, silenceMs: soonMs, wholeMs: soonMs };
    for (const socket of this.#dropping.keys()) this.endInOrder(socket);
    for (const socket of this.#ending.keys()) setTimeout(() => socket.destroy(), soonMs).unref();
  }
}

/** Detaches all readers of the request. */
function detachReaders(request: IncomingMessage): void {
  request.unpipe();
  for (const event of ['data', 'readable']) request.removeAllListeners(event);
}

/** For an instance with its own server. */
export function listenOnOwnServer(app: FastifyInstance, bodies: UnreadBodies): void {
  bodies.attach(app.server);
  app.addHook('preClose', async () => bodies.stop());
}

export function dropUnreadBodies(app: FastifyInstance, bodies: UnreadBodies): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (bodies.endsConnection(raw)) reply.header('connection', 'close');
    done();
  });
}
