import type { Ctx } from '../../../platform/context/context.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import type { LaneReads } from './lane-reads.ts';
import { listDueOfMove, listLateMessages } from './sql-due.ts';

/** The first read is small: most lanes have a message or two, and some have a listener that does not answer. */
const [FIRST_BATCH, BATCH, BATCH_GROWS_BY] = [16, 500, 4];
/** Fetches ahead when this fraction of a batch is left, so that the listener never waits for the database. */
const LOW_WATER = 1 / 5;
/** How often a busy lane is scanned for messages that were committed after later ones had been fetched. */
const LATE_SCAN_MS = 1_000;
/** How often it is read again without a notification: a later attempt becomes due without one. */
const REREAD_MS = 10_000;

/** Only first attempts are ordered; a later attempt depends on its due time alone. */
const orderOf = ({ orderKey, attemptsMade }: DueMessage) => (attemptsMade === 0 ? orderKey : null);

/**
 * Runs the first attempts of messages with the same order key one at a time, in the order in which they were posted.
 * Messages without a key are never looked up.
 */
class Sequences {
  /** By key with an attempt under way: the messages that wait for it. */
  readonly #waitingFor = new Map<string, DueMessage[]>();
  #held = 0;

  /** How many messages wait for the one before them. */
  get held(): number {
    return this.#held;
  }

  waiting(): DueMessage[] {
    return [...this.#waitingFor.values()].flat();
  }

  /** Whether the message may start. If not, it is kept until the one before it has ended. */
  enter(message: DueMessage): boolean {
    const key = orderOf(message);
    if (key === null) return true;
    const waiting = this.#waitingFor.get(key);
    if (waiting === undefined) {
      this.#waitingFor.set(key, []);
      return true;
    }
    waiting.push(message);
    this.#held++;
    return false;
  }

  /** The attempt has ended or was not made: returns the messages that waited for it, in order. */
  leave(message: DueMessage): readonly DueMessage[] {
    const key = orderOf(message);
    if (key === null) return [];
    const waiting = this.#waitingFor.get(key) ?? [];
    this.#waitingFor.delete(key);
    this.#held -= waiting.length;
    return waiting;
  }

  /** Drops all waiting messages; attempts under way still end. */
  forget(): void {
    for (const waiting of this.#waitingFor.values()) waiting.length = 0;
    this.#held = 0;
  }
}

/** Identifies one attempt: the next attempt of the same message has another due time. */
const keyOf = ({ messageId, dueAt }: DueMessage) => `${messageId} ${dueAt}`;

/** The due messages of one lane: fetched ahead with a cursor, handed out, and tracked until they are settled. */
export class DueQueue {
  readonly #ctx: Ctx;
  readonly #reads: LaneReads;
  readonly #lane: LeasedLane;
  #waiting: DueMessage[] = [];
  readonly #sequences = new Sequences();
  /** Handed out and not yet recorded. */
  readonly #out = new Set<DueMessage>();
  #after: DueMessage | undefined;
  /** Messages beyond `#after` may already be in hand. */
  #ahead = false;
  #batch = FIRST_BATCH;
  #lateScanAtMs = 0;
  #readAtMs = 0;
  /** There may be due messages that were not read. */
  #more = true;
  /** Messages may have been committed late, behind the cursor, or missed because a read failed. */
  #late = false;
  /** A notification arrived since the last read. */
  #notified = false;
  /** The last read found nothing for a notification: by another machine's clock it may be due a moment later. */
  #missed = false;
  #isOpen = false;
  /** How often messages were dropped to be read again. */
  #drops = 0;

  constructor(ctx: Ctx, reads: LaneReads, lane: LeasedLane) {
    this.#ctx = ctx;
    this.#reads = reads;
    this.#lane = lane;
  }

  get waiting(): readonly DueMessage[] {
    return this.#waiting;
  }

  /** Handed out and not settled. */
  get out(): number {
    return this.#out.size;
  }

  /** Without a listener, drops the messages read so far; they are read again when there is one. */
  open(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (isOpen) return;
    this.#waiting = [];
    this.#drops++;
    this.#sequences.forget();
    // Read again from the beginning, in order; messages that are out are excluded.
    this.#after = undefined;
    this.#ahead = true;
  }

  /** There may be new due messages. */
  poke(): void {
    this.#more = true;
    this.#late = true;
    this.#notified = true;
  }

  /** Marks a busy lane for another read from time to time, and any lane whose last read may be incomplete. */
  markStale(): void {
    const isOld = this.#after !== undefined && performance.now() >= this.#readAtMs + REREAD_MS;
    this.#more ||= this.#late || this.#missed || isOld;
  }

  get isLow(): boolean {
    return this.#more && this.#waiting.length <= LOW_WATER * this.#batch && this.#sequences.held <= BATCH;
  }

  get wantsMore(): boolean {
    return this.#more && (this.isLow || this.#blockedMove() !== undefined);
  }

  /** The clock move that is blocked: messages caused by calls fill the queue, and none of them is the move's. */
  #blockedMove(): number | undefined {
    const nr = this.#ctx.clock.move()?.nr;
    return nr === undefined || this.#waiting.some(({ moveNr }) => moveNr <= nr) ? undefined : nr;
  }

  /** The waiting message at this index; undefined if it is kept until the one before it has ended. */
  take(nth: number): DueMessage | undefined {
    // Nearly always the first message, and taking that one moves no other.
    const message = nth === 0 ? this.#waiting.shift()! : this.#waiting.splice(nth, 1)[0]!;
    if (message.orderKey !== null && !this.#sequences.enter(message)) return undefined;
    this.#out.add(message);
    return message;
  }

  /** Its attempt has ended: the messages that waited for it come next. */
  ended(message: DueMessage): void {
    if (message.orderKey !== null) this.#waiting.unshift(...this.#sequences.leave(message));
  }

  /** Messages that were not sent come next again, unless they were erased after they had been read. */
  putBack(messages: readonly DueMessage[], { erased = false } = {}): void {
    for (const message of messages) this.#out.delete(message);
    const back = messages.flatMap((each) => [...(erased ? [] : [each]), ...this.#sequences.leave(each)]);
    if (this.#isOpen) this.#waiting.unshift(...back);
    else this.#drops++;
  }

  settled(messages: Iterable<DueMessage>): void {
    for (const message of messages) this.#out.delete(message);
    this.rewind();
  }

  /** Once everything handed out is settled, the next read starts over and finds messages committed late. */
  rewind(): void {
    if (this.#waiting.length > 0 || this.#out.size > 0) return;
    this.#more ||= this.#late;
    this.#after = undefined;
    this.#ahead = false;
  }

  /**
   * `findListenerOf` opens or closes the queue. It runs alongside the read, which saves an idle lane a round trip.
   */
  async read(findListenerOf: () => Promise<void>): Promise<void> {
    const blocked = this.isLow ? undefined : this.#blockedMove();
    try {
      await (blocked === undefined ? this.#readNext(findListenerOf) : this.#readOfMove(blocked));
    } catch (error) {
      // Do not retry at once: it may fail again.
      this.#more = false;
      this.#late = true;
      throw error;
    }
  }

  async #readNext(findListenerOf: () => Promise<void>): Promise<void> {
    // A notification from here on may arrive too late for this read.
    const wasNotified = this.#notified;
    this.#more = false;
    this.#notified = false;
    this.#readAtMs = performance.now();
    if (this.#after === undefined) this.#late = false;
    const drops = this.#drops;
    const known = this.#ahead ? new Set(this.#inHand().map(keyOf)) : undefined;
    const [due, late] = await Promise.all([
      this.#reads.listDue(this.#lane, this.#after, this.#batch),
      this.#scanLate(),
      findListenerOf(),
    ]);
    if (!this.#isOpen) return;
    // Messages dropped during the read come before those it found.
    if (drops !== this.#drops) return this.poke();
    const found = due.messages;
    this.#missed = wasNotified && found.length === 0 && late.length === 0;
    // One scan may not find all late messages.
    this.#late ||= late.length > 0;
    this.#waiting.unshift(...late);
    this.#more ||= !due.isWhole;
    if (!due.isWhole) this.#batch = Math.min(BATCH, BATCH_GROWS_BY * this.#batch);
    // By now everything that was out may be settled, with the cursor back at the beginning.
    this.#after = found.at(-1) ?? this.#after ?? late.at(-1);
    this.#waiting.push(...(known === undefined ? found : found.filter((each) => !known.has(keyOf(each)))));
  }

  async #readOfMove(nr: number): Promise<void> {
    const query = { nr, now: this.#ctx.now(), inHand: this.#inHand(), limit: BATCH };
    const drops = this.#drops;
    const found = await listDueOfMove(this.#ctx.db, this.#lane, query);
    if (!this.#isOpen || drops !== this.#drops || found.length === 0) return;
    this.#waiting.unshift(...found);
    this.#ahead = true;
  }

  #inHand(): DueMessage[] {
    return [...this.#waiting, ...this.#sequences.waiting(), ...this.#out];
  }

  /** Without this, a lane that is never idle would skip messages posted earlier but committed after the fetch. */
  async #scanLate(): Promise<DueMessage[]> {
    const now = performance.now();
    if (this.#after === undefined || now < this.#lateScanAtMs + LATE_SCAN_MS) return [];
    this.#lateScanAtMs = now;
    this.#late = false;
    const query = { upTo: this.#after, inHand: this.#inHand(), limit: BATCH };
    return listLateMessages(this.#ctx.db, this.#lane, query);
  }
}
