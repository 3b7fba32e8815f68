import { StringDecoder } from 'node:string_decoder';
import { ANSWER_KEPT_BYTES, type SendOutcome } from '../../features/callbacks/index.ts';
import { keptHeaders } from './answer-headers.ts';
import type { AnswerReader } from './answer-parser.ts';
import { isTimeOut, type Reason } from './reasons.ts';

/** PostgreSQL's text cannot store this one character. */
const NUL = /\0/g;

function asText(chunks: readonly Buffer[], bytes: number): string {
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  // The decoder omits a character that was cut in two, where toString() would insert a replacement character.
  const text =
    bytes > ANSWER_KEPT_BYTES
      ? new StringDecoder('utf8').write(whole.subarray(0, ANSWER_KEPT_BYTES))
      : whole.toString('utf8');
  return text.includes('\0') ? text.replace(NUL, '') : text;
}

/** Where an attempt waits or is in progress, so that it can be removed from there. */
export interface Place {
  leave(attempt: Attempt): void;
}

/** A POST in its written form. */
export interface Post {
  readonly head: string;
  /** Whether the head is ASCII only. */
  readonly isAscii: boolean;
  readonly body: string;
}

/** One POST, whose progress its connection reports. It ends once, with the first result. */
export class Attempt implements AnswerReader {
  readonly post: Post;
  readonly outcome: Promise<SendOutcome>;
  readonly #startedAt: number;
  readonly #onEnd: (attempt: Attempt) => void;
  #resolve!: (outcome: SendOutcome) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #limitMs: number;
  #place: Place | undefined;
  #status: number | null = null;
  #head: string | undefined;
  #chunks: Buffer[] | undefined;
  #bytes = 0;
  #ended = false;

  constructor(post: Post, startedAt: number, limitMs: number, onEnd: (attempt: Attempt) => void) {
    this.post = post;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#startedAt = startedAt;
    this.#onEnd = onEnd;
    this.#limitMs = limitMs;
    this.#timer = setTimeout(Attempt.#late, limitMs, this);
  }

  static #late(attempt: Attempt): void {
    attempt.breakOff(`no answer in ${attempt.#limitMs / 1_000} s`);
  }

  /** Sets where the attempt waits or is in progress. */
  at(place: Place): void {
    this.#place = place;
  }

  /** Ends the attempt for a reason that the listener did not cause on the connection. */
  breakOff(reason: Reason): void {
    if (this.#ended) return;
    this.failed(reason);
    this.#place?.leave(this);
  }

  onHead(status: number, head: string): void {
    this.#status = status;
    if (status >= 300) this.#head = head;
  }

  onBody(piece: Buffer): void {
    if (this.#ended) return;
    this.#bytes += piece.length;
    // The connection reuses this buffer for the next bytes.
    const kept = Buffer.from(piece);
    if (this.#chunks === undefined) this.#chunks = [kept];
    else this.#chunks.push(kept);
    if (this.#bytes <= ANSWER_KEPT_BYTES) return;
    this.#end(null);
    this.#place?.leave(this);
  }

  /** The answer is complete. */
  done(): void {
    if (!this.#ended) this.#end(null);
  }

  /** The status line alone says whether the listener accepted the message: a failure after it does not change that. */
  failed(reason: Reason): void {
    if (this.#ended) return;
    const taken = this.#status !== null && this.#status < 300;
    this.#end(taken ? null : reason, true);
  }

  #end(error: Reason | null, isCut = false): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#onEnd(this);
    const answer = this.#chunks === undefined ? '' : asText(this.#chunks, this.#bytes);
    this.#resolve({
      status: this.#status,
      error,
      latencyMs: performance.now() - this.#startedAt,
      answer,
      isCut,
      ...(this.#head !== undefined && { answerHeaders: keptHeaders(this.#head) }),
      ...(this.#status === null && error !== null && isTimeOut(error) && { isLate: true }),
    });
  }
}
