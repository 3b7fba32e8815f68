import type { Socket } from 'node:net';
import { AnswerParser } from './answer-parser.ts';
import type { Attempt, Place } from './attempt.ts';
import { Refusal, reasonOf } from './reasons.ts';

/** Shorter than the idle time of common servers that do not announce theirs: we close first, so no POST is lost. */
export const IDLE_MS = 1_500;
const IDLE_ANNOUNCED_MAX_MS = 4_000;
/** An idle connection is closed this much earlier than the listener announced. */
const IDLE_MARGIN_MS = 1_000;

const idleMsOf = (announcedSeconds: number | undefined): number =>
  announcedSeconds === undefined
    ? IDLE_MS
    : Math.min(announcedSeconds * 1_000 - IDLE_MARGIN_MS, IDLE_ANNOUNCED_MAX_MS);

export interface ConnectionOwner {
  /** An answer is complete, and the connection can carry another POST for `idleMs`. */
  onFree(connection: Connection, idleMs: number): void;
  onClosed(connection: Connection): void;
}

/** One socket to a listener, with at most one POST at a time. */
export class Connection implements Place {
  readonly madeAt: number;
  /** The connection is not used for a POST after this time, on the clock of performance.now(). */
  idleUntil = 0;
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  #attempt: Attempt | undefined;
  readonly #parser = new AnswerParser();
  #isClosed = false;

  constructor(socket: Socket, madeAt: number, owner: ConnectionOwner) {
    this.#socket = socket;
    this.madeAt = madeAt;
    this.#owner = owner;
    socket.on('error', (error) => this.#fail(error));
    socket.on('end', () => this.#ended());
    socket.on('close', () => this.#fail(new Refusal('connection reset')));
  }

  /** Writes a POST, at most once: after this it is unknown whether the listener has read it. */
  start(attempt: Attempt): void {
    this.#attempt = attempt;
    this.#parser.begin(attempt);
    attempt.at(this);
    const { head, isAscii, body } = attempt.post;
    // A single string takes one write. A head is Latin-1 and a body UTF-8, so only ASCII is the same in both.
    if (isAscii) return void this.#socket.write(head + body);
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    this.#socket.write(body);
    this.#socket.uncork();
  }

  /** Takes the first `length` bytes of the buffer, which is reused afterwards. */
  read(bytes: Buffer, length: number): void {
    if (this.#isClosed) return;
    // Unexpected data could be mistaken for the next answer.
    if (this.#attempt === undefined) return void this.close();
    try {
      this.#parser.feed(bytes, length);
    } catch (error) {
      return void this.#fail(error as Error);
    }
    if (this.#parser.isDone) this.#finish();
  }

  #finish(): void {
    const [attempt, parser] = [this.#attempt, this.#parser];
    this.#attempt = undefined;
    const idleMs = idleMsOf(parser.idleSeconds);
    // A listener that answers before it has read a whole POST may take the rest of it for the next one.
    const isFree = parser.keepsOpen && idleMs > 0 && this.#socket.writableLength === 0 && !this.#isClosed;
    if (isFree) this.#owner.onFree(this, idleMs);
    else this.close();
    attempt?.done();
  }

  #ended(): void {
    if (this.#attempt !== undefined && this.#parser.close()) this.#finish();
    else this.#fail(new Refusal('connection reset'));
  }

  #fail(error: Error): void {
    const attempt = this.#attempt;
    this.close();
    attempt?.failed(reasonOf(error));
  }

  leave(): void {
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#attempt = undefined;
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }
}
