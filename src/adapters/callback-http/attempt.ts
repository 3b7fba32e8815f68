import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { ANSWER_KEPT_BYTES, type SendOutcome } from '../../features/callbacks/index.ts';
import type { OriginPool } from './origin-pools.ts';
import { isTimeOut, type Reason, Refusal, reasonOf } from './reasons.ts';

/** PostgreSQL's text cannot hold this one character. */
const NUL = /\0/g;

function asText(chunks: readonly Buffer[], bytes: number): string {
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  // The decoder holds back a character that was cut in two, where toString() would put a replacement character.
  const text =
    bytes > ANSWER_KEPT_BYTES
      ? new StringDecoder('utf8').write(whole.subarray(0, ANSWER_KEPT_BYTES))
      : whole.toString('utf8');
  return text.includes('\0') ? text.replace(NUL, '') : text;
}

/** One POST on its way, told by undici what happens to it. It ends once, whatever comes first. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<SendOutcome>;
  readonly #startedAt: number;
  readonly #onEnd: (attempt: Attempt) => void;
  #resolve!: (outcome: SendOutcome) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #limitMs: number;
  #queue: OriginPool | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #chunks: Buffer[] | undefined;
  #bytes = 0;
  #ended = false;

  constructor(queue: OriginPool, startedAt: number, limitMs: number, onEnd: (attempt: Attempt) => void) {
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#queue = queue;
    queue.waiting++;
    this.#startedAt = startedAt;
    this.#onEnd = onEnd;
    this.#limitMs = limitMs;
    this.#timer = setTimeout(Attempt.#late, limitMs, this);
  }

  static #late(attempt: Attempt): void {
    attempt.breakOff(`no answer in ${attempt.#limitMs / 1_000} s`);
  }

  /** Ends the attempt for a reason that is not the listener's doing on the wire. */
  breakOff(reason: Reason): void {
    if (this.#ended) return;
    this.#cutShort(reason);
    this.#controller?.abort(new Refusal(reason));
  }

  #leaveQueue(): void {
    if (this.#queue === undefined) return;
    this.#queue.waiting--;
    this.#queue = undefined;
  }

  /** The status line says whether the message was taken: what becomes of the rest of such an answer changes nothing. */
  #cutShort(reason: Reason): void {
    const taken = this.#status !== null && this.#status < 300;
    this.#end(taken ? null : reason, true);
  }

  #end(error: Reason | null, isCut = false): void {
    this.#ended = true;
    this.#leaveQueue();
    clearTimeout(this.#timer);
    this.#onEnd(this);
    const answer = this.#chunks === undefined ? '' : asText(this.#chunks, this.#bytes);
    this.#resolve({
      status: this.#status,
      error,
      latencyMs: performance.now() - this.#startedAt,
      answer,
      isCut,
      ...(this.#status === null && error !== null && isTimeOut(error) && { isLate: true }),
    });
  }

  /** Called when a connection is free, before the first byte. Throwing keeps the request back and the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) throw new Refusal('stopped');
    this.#leaveQueue();
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    this.#bytes += chunk.length;
    if (this.#chunks === undefined) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
    if (this.#bytes <= ANSWER_KEPT_BYTES) return;
    this.#end(null);
    controller.abort(new Refusal('stopped'));
  }

  onResponseEnd(): void {
    if (!this.#ended) this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#ended) this.#cutShort(reasonOf(error));
  }
}
