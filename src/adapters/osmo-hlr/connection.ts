import { connect, type Socket } from 'node:net';
import type { SocketAddress } from '../../kernel/socket-address.ts';
import { type CtrlAnswer, readable, readMessage } from './answers.ts';
import { FrameReader, writeFrame } from './frames.ts';

/** Messages that answer no command, between two that do. A register does not send more. */
const UNSOLICITED_MAX = 10_000;
const KEEP_ALIVE_MS = 30_000;

export interface CtrlLimits {
  readonly connectMs: number;
  /** Time limit for the answer to a command. */
  readonly answerMs: number;
  /** Maximum number of unanswered commands. */
  readonly inFlightMax: number;
  /** Maximum number of commands that a killed process may have left unread on its own connection. */
  readonly unreadMax: number;
  /** How long a connection without answers is kept. */
  readonly abandonMs: number;
}

interface Command {
  readonly variable: string;
  /** Without a value the variable is read. */
  readonly value?: string | undefined;
  readonly signal: AbortSignal;
  readonly answered: (answer: CtrlAnswer) => void;
  readonly failed: (reason: string) => void;
  /** Called instead of `answered` if the command was given up before. */
  readonly answeredLate?: () => void;
}

interface Sent {
  readonly command: Command;
  readonly sentAtMs: number;
  /** The caller has received a failure, but an answer may still arrive. */
  isGivenUp: boolean;
}

/** A question about a line that does not exist. */
const QUESTION = 'subscriber.by-imsi-000000.info';
const UNSTOPPED = new AbortController().signal;

/**
 * One connection to a register, which answers in the order of the commands. A command that was given up keeps its position until
 * it is answered. If the connection were closed instead, a command waiting in a register that stands still could be
 * carried out after a newer one on another connection.
 */
export class CtrlConnection {
  readonly #socket: Socket;
  readonly #limits: CtrlLimits;
  readonly #reader = new FrameReader();
  readonly #waiting: Command[] = [];
  /** In sending order. */
  readonly #sent = new Map<string, Sent>();
  readonly #onEnd: () => void;
  #lastId = 0;
  #unsolicited = 0;
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
      this.#drainOthers(limits.unreadMax);
    });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.end(`the register cannot be reached: ${error.message}`));
    this.#socket.on('close', () => this.end('the register closed the connection'));
  }

  /** A connection that has been silent for too long is useless. */
  get isAbandoned(): boolean {
    const [oldest] = this.#sent.values();
    if (oldest === undefined) return false;
    return performance.now() - Math.max(oldest.sentAtMs, this.#answeredAtMs) > this.#limits.abandonMs;
  }

  submit(command: Command): void {
    const [oldest] = this.#sent.values();
    // It could be answered only after commands that the register has not answered in time.
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
   * A killed process may have left commands that the register has not read yet. The register reads one command of each
   * connection in turn: after this many questions, one after the other, it has read all earlier commands.
   */
  #drainOthers(questions: number): void {
    if (questions === 0) {
      this.#isOpen = true;
      this.#sendWaiting();
      return;
    }
    const answered = () => this.#drainOthers(questions - 1);
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

  /** Returns a reason if the connection has become useless. */
  #settle(text: string): string | undefined {
    const message = readMessage(text);
    if (message === undefined) return `the register sent nonsense: ${readable(text)}`;
    if (message.kind === 'trap') return this.#noteUnsolicited();
    const sent = this.#sent.get(message.id);
    if (sent === undefined) {
      const wasSent = /^\d{1,15}$/.test(message.id) && Number(message.id) <= this.#lastId;
      return wasSent
        ? this.#noteUnsolicited()
        : `the register answered an unknown command: ${readable(text)}`;
    }
    const { command, isGivenUp } = sent;
    if ('value' in message.answer && message.variable !== command.variable)
      return `the register answered about ${readable(message.variable)} when asked for ${command.variable}`;
    this.#sent.delete(message.id);
    this.#answeredAtMs = performance.now();
    this.#unsolicited = 0;
    if (isGivenUp) command.answeredLate?.();
    else command.answered(message.answer);
    return undefined;
  }

  #noteUnsolicited(): string | undefined {
    this.#unsolicited++;
    return this.#unsolicited > UNSOLICITED_MAX
      ? 'the register keeps sending unsolicited messages'
      : undefined;
  }

  /** One timer for the oldest command that a caller waits for. */
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
