import { StringDecoder } from 'node:string_decoder';
import { ANSWER_KEPT_BYTES, type SendOutcome } from '../../features/callbacks/index.ts';
import { keptHeaders } from './answer-headers.ts';
import type { AnswerReader } from './answer-parser.ts';
import { isTimeOut, type Reason } from './reasons.ts';

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

/** Where an attempt waits or is under way, so that it can be taken from there. */
export interface Place {
  leave(attempt: Attempt): void;
}

/** A POST as it is written. */
export interface Post {
  readonly head: string;
  /** Whether the head has no other characters. */
  readonly isAscii: boolean;
  readonly body: string;
}

/** One POST on its way, told by its connection what happens to it. It ends once, whatever comes first. */
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

  /** It waits, or is under way, here. */
  at(place: Place): void {
    this.#place = place;
  }

  /** Ends the attempt for a reason that is not the listener's doing on the wire. */
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
    // Its connection reads what comes next into the same place.
    const kept = Buffer.from(piece);
    if (this.#chunks === undefined) this.#chunks = [kept];
    else this.#chunks.push(kept);
    if (this.#bytes <= ANSWER_KEPT_BYTES) return;
    this.#end(null);
    this.#place?.leave(this);
  }

  /** The answer has come to its end. */
  done(): void {
    if (!this.#ended) this.#end(null);
  }

  /** The status line says whether the message was taken: what becomes of the rest of such an answer changes nothing. */
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
