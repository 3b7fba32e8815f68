import { connect, type Socket } from 'node:net';
import type { SocketAddress } from '../../kernel/socket-address.ts';
import { type CtrlAnswer, readable, readMessage } from './answers.ts';
import { FrameReader, writeFrame } from './frames.ts';

/** Messages that answer nothing, between two that do. More than this is no register. */
const UNASKED_MAX = 10_000;
const KEEP_ALIVE_MS = 30_000;

export interface CtrlLimits {
  readonly connectMs: number;
  /** From sending a command to its answer. */
  readonly answerMs: number;
  /** Commands that were sent and not answered. */
  readonly inFlightMax: number;
  /** Commands that a process which was killed may have left unread, on a connection of its own. */
  readonly unreadMax: number;
  /** How long a connection on which nothing is answered is still kept. */
  readonly abandonMs: number;
}

interface Command {
  readonly variable: string;
  /** Without it the variable is asked for. */
  readonly value?: string | undefined;
  readonly signal: AbortSignal;
  readonly answered: (answer: CtrlAnswer) => void;
  readonly failed: (reason: string) => void;
  /** Called in the place of `answered` where the command was given up before. */
  readonly answeredLate?: () => void;
}

interface Sent {
  readonly command: Command;
  readonly sentAtMs: number;
  /** Whoever asked has been told that no answer came. One may still come. */
  isGivenUp: boolean;
}

/** About a line that nobody has. */
const QUESTION = 'subscriber.by-imsi-000000.info';
const UNSTOPPED = new AbortController().signal;

/**
 * One connection to a register. It answers in the order of the commands, so a command that was given up holds its place
 * until it is answered: closing the connection instead would let a command that waits in a register that stands still be
 * carried out after a newer one on another connection.
 */
export class CtrlConnection {
  readonly #socket: Socket;
  readonly #limits: CtrlLimits;
  readonly #reader = new FrameReader();
  readonly #waiting: Command[] = [];
  /** In the order in which they were sent. */
  readonly #sent = new Map<string, Sent>();
  readonly #onEnd: () => void;
  #lastId = 0;
  #unasked = 0;
  #isOpen = false;
  #hasEnded = false;
  #answeredAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(address: SocketAddress, limits: CtrlLimits, onEnd: () => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.end('the register does not take connections'), limits.connectMs);
    this.#socket = connect({
      ...address,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
    this.#socket.on('connect', () => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#letOthersBeRead(limits.unreadMax);
    });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.end(`the register cannot be reached: ${error.message}`));
    this.#socket.on('close', () => this.end('the register closed the connection'));
  }

  /** A connection that has been silent for so long is of no use any more. */
  get isAbandoned(): boolean {
    const [oldest] = this.#sent.values();
    if (oldest === undefined) return false;
    return performance.now() - Math.max(oldest.sentAtMs, this.#answeredAtMs) > this.#limits.abandonMs;
  }

  submit(command: Command): void {
    const [oldest] = this.#sent.values();
    // Its turn would come only when the register answers what it has not answered in time.
    if (oldest?.isGivenUp && (!this.#isOpen || this.#sent.size >= this.#limits.inFlightMax)) {
      command.failed('the register does not answer');
      return;
    }
    this.#waiting.push(command);
    if (this.#isOpen) this.#sendWaiting();
  }

  end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
    this.#onEnd();
    for (const { command, isGivenUp } of this.#sent.values()) if (!isGivenUp) command.failed(reason);
    this.#failWaiting(reason);
    this.#sent.clear();
  }

  #failWaiting(reason: string): void {
    for (const command of this.#waiting.splice(0)) command.failed(reason);
  }

  /**
   * A process that was killed may have left commands that the register has not read yet. It reads one command of each connection
   * in turn: after so many questions, one after the other, nothing of what was sent before is left to be carried out later.
   */
  #letOthersBeRead(questions: number): void {
    if (questions === 0) {
      this.#isOpen = true;
      this.#sendWaiting();
      return;
    }
    const answered = () => this.#letOthersBeRead(questions - 1);
    this.#send({ variable: QUESTION, signal: UNSTOPPED, answered, answeredLate: answered, failed: () => {} });
    this.#watch();
  }

  #sendWaiting(): void {
    this.#socket.cork();
    while (this.#sent.size < this.#limits.inFlightMax) {
      const command = this.#waiting.shift();
      if (command === undefined) break;
      if (command.signal.aborted) command.failed('stopped');
      else this.#send(command);
    }
    process.nextTick(() => this.#socket.uncork());
    this.#watch();
  }

  #send(command: Command): void {
    const id = String(++this.#lastId);
    const { variable, value } = command;
    this.#sent.set(id, { command, sentAtMs: performance.now(), isGivenUp: false });
    this.#socket.write(
      writeFrame(value === undefined ? `GET ${id} ${variable}` : `SET ${id} ${variable} ${value}`),
    );
  }

  #take(chunk: Buffer): void {
    try {
      for (const text of this.#reader.read(chunk)) {
        const reason = this.#settle(text);
        if (reason !== undefined) this.end(reason);
        if (this.#hasEnded) return;
      }
    } catch (error) {
      this.end(`the register sent nonsense: ${(error as Error).message}`);
      return;
    }
    if (this.#isOpen) this.#sendWaiting();
  }

  /** Why the connection is of no use any more, if so. */
  #settle(text: string): string | undefined {
    const message = readMessage(text);
    if (message === undefined) return `the register sent nonsense: ${readable(text)}`;
    if (message.kind === 'trap') return this.#noteUnasked();
    const sent = this.#sent.get(message.id);
    if (sent === undefined) {
      const wasSent = /^\d{1,15}$/.test(message.id) && Number(message.id) <= this.#lastId;
      return wasSent ? this.#noteUnasked() : `the register answered what nobody asked: ${readable(text)}`;
    }
    const { command, isGivenUp } = sent;
    if ('value' in message.answer && message.variable !== command.variable)
      return `the register answered about ${readable(message.variable)} when asked for ${command.variable}`;
    this.#sent.delete(message.id);
    this.#answeredAtMs = performance.now();
    this.#unasked = 0;
    if (isGivenUp) command.answeredLate?.();
    else command.answered(message.answer);
    return undefined;
  }

  #noteUnasked(): string | undefined {
    this.#unasked++;
    return this.#unasked > UNASKED_MAX
      ? 'the register does not stop sending what nobody asked for'
      : undefined;
  }

  /** One timer for the oldest command that somebody waits for. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    const oldest = this.#sent.values().find(({ isGivenUp }) => !isGivenUp);
    if (oldest === undefined) return;
    const leftMs = Math.max(1, oldest.sentAtMs + this.#limits.answerMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#giveUpLate();
      this.#watch();
    }, leftMs);
  }

  #giveUpLate(): void {
    const { answerMs } = this.#limits;
    const now = performance.now();
    for (const sent of this.#sent.values()) {
      if (sent.sentAtMs + answerMs > now) break;
      if (sent.isGivenUp) continue;
      sent.isGivenUp = true;
      sent.command.failed(`the register did not answer within ${answerMs} ms`);
    }
    if (this.#sent.values().some(({ isGivenUp }) => isGivenUp) && this.#answeredAtMs + answerMs <= now)
      this.#failWaiting('the register does not answer');
  }
}
