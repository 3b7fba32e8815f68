import type { Ctx } from '../../../platform/context/context.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import type { LaneReads } from './lane-reads.ts';
import { listDueOfMove, listLateMessages } from './sql-due.ts';

/** A lane begins with a small read, as most have a message or two, and some a listener that does not answer. */
const [FIRST_BATCH, BATCH, BATCH_GROWS_BY] = [16, 500, 4];
/** Fetched ahead when this part of a read is left, so that the listener need not wait for the database. */
const LOW_WATER = 1 / 5;
/** How often a busy lane is looked at for messages that were committed after later ones had been fetched. */
const LOOK_BACK_MS = 1_000;
/** And how often where it was told of nothing: the next attempt of a message becomes due without a notice. */
const LOOK_AGAIN_MS = 10_000;

/** A later attempt goes by its time alone: nobody waits for it, and it waits for nobody. */
const orderOf = ({ orderKey, attemptsMade }: DueMessage) => (attemptsMade === 0 ? orderKey : null);

/**
 * Of the messages of a lane that have a key in common one is in its first attempt at a time, in the order in which they
 * came. Only those with a key are ever looked up.
 */
class Sequences {
  /** By the keys that have an attempt under way: who waits for it. */
  readonly #followers = new Map<string, DueMessage[]>();
  #held = 0;

  /** How many wait for one before them. */
  get held(): number {
    return this.#held;
  }

  /** Who waits for one before them. */
  waiting(): DueMessage[] {
    return [...this.#followers.values()].flat();
  }

  /** Whether the message may start; otherwise it is kept until the one before it has ended. */
  enter(message: DueMessage): boolean {
    const key = orderOf(message);
    if (key === null) return true;
    const followers = this.#followers.get(key);
    if (followers === undefined) {
      this.#followers.set(key, []);
      return true;
    }
    followers.push(message);
    this.#held++;
    return false;
  }

  /** The attempt has ended, or was not made: answers those that waited for it, in their order. */
  leave(message: DueMessage): readonly DueMessage[] {
    const key = orderOf(message);
    if (key === null) return [];
    const followers = this.#followers.get(key) ?? [];
    this.#followers.delete(key);
    this.#held -= followers.length;
    return followers;
  }

  /** Nobody waits any more; what is under way still ends. */
  forget(): void {
    for (const followers of this.#followers.values()) followers.length = 0;
    this.#held = 0;
  }
}

/** Of one attempt: the next one of the same message is due at another time. */
const keyOf = ({ messageId, dueAt }: DueMessage) => `${messageId} ${dueAt}`;

/** The due messages of one lane: read ahead after a cursor, handed out, and known until they are settled. */
export class DueQueue {
  readonly #ctx: Ctx;
  readonly #reads: LaneReads;
  readonly #lane: LeasedLane;
  #waiting: DueMessage[] = [];
  readonly #sequences = new Sequences();
  /** Handed out, and not yet recorded. */
  readonly #out = new Set<DueMessage>();
  #after: DueMessage | undefined;
  /** Something beyond `#after` may be in hand too. */
  #ahead = false;
  #batch = FIRST_BATCH;
  #lookedBackAtMs = 0;
  #readAtMs = 0;
  /** Something may be due that was not read. */
  #more = true;
  /** Something may have been committed late, behind the cursor, or was not read because of a failure. */
  #late = false;
  /** Something was told of since the last read. */
  #told = false;
  /** The last read did not find what was told of: by the clock of another machine it may be due a moment later. */
  #missed = false;
  #isOpen = false;
  /** How often messages were dropped that are to be read again. */
  #drops = 0;

  constructor(ctx: Ctx, reads: LaneReads, lane: LeasedLane) {
    this.#ctx = ctx;
    this.#reads = reads;
    this.#lane = lane;
  }

  get waiting(): readonly DueMessage[] {
    return this.#waiting;
  }

  /** How many were handed out and are not settled. */
  get out(): number {
    return this.#out.size;
  }

  /** Without a listener nothing waits: what was read is dropped, and read again when there is one. */
  open(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (isOpen) return;
    this.#waiting = [];
    this.#drops++;
    this.#sequences.forget();
    // From the beginning, in their order; those that are out are not for now.
    this.#after = undefined;
    this.#ahead = true;
  }

  /** Something may be due. */
  poke(): void {
    this.#more = true;
    this.#late = true;
    this.#told = true;
  }

  /** A busy lane looks from time to time, and each one sooner where the last read may have missed something. */
  lookAgain(): void {
    const isOld = this.#after !== undefined && performance.now() >= this.#readAtMs + LOOK_AGAIN_MS;
    this.#more ||= this.#late || this.#missed || isOld;
  }

  get isLow(): boolean {
    return this.#more && this.#waiting.length <= LOW_WATER * this.#batch && this.#sequences.held <= BATCH;
  }

  get wantsMore(): boolean {
    return this.#more && (this.isLow || this.#blockedMove() !== undefined);
  }

  /** The move that waits behind what calls have brought: they have filled the queue, and none of it is the move's. */
  #blockedMove(): number | undefined {
    const nr = this.#ctx.clock.move()?.nr;
    return nr === undefined || this.#waiting.some(({ moveNr }) => moveNr <= nr) ? undefined : nr;
  }

  /** The message at this place of those that wait; undefined where it is kept until the one before it has ended. */
  take(nth: number): DueMessage | undefined {
    // Nearly always the first one, and for that one nothing else is moved.
    const message = nth === 0 ? this.#waiting.shift()! : this.#waiting.splice(nth, 1)[0]!;
    if (message.orderKey !== null && !this.#sequences.enter(message)) return undefined;
    this.#out.add(message);
    return message;
  }

  /** Its attempt has ended: it is the turn of those that have waited for it. */
  ended(message: DueMessage): void {
    if (message.orderKey !== null) this.#waiting.unshift(...this.#sequences.leave(message));
  }

  /** Not sent, and so not lost: they are the next ones, unless they were erased since they were read. */
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

  /** When everything handed out is settled, the next look begins at the beginning, and finds what was committed late. */
  rewind(): void {
    if (this.#waiting.length > 0 || this.#out.size > 0) return;
    this.#more ||= this.#late;
    this.#after = undefined;
    this.#ahead = false;
  }

  /** `findListenerOf` opens or closes the queue, beside the reading: an idle service answers a round trip sooner. */
  async read(findListenerOf: () => Promise<void>): Promise<void> {
    const blocked = this.isLow ? undefined : this.#blockedMove();
    try {
      await (blocked === undefined ? this.#readNext(findListenerOf) : this.#readOfMove(blocked));
    } catch (error) {
      // Not at once: it may fail again.
      this.#more = false;
      this.#late = true;
      throw error;
    }
  }

  async #readNext(findListenerOf: () => Promise<void>): Promise<void> {
    // Whatever is told of from here on may come too late for this look.
    const wasTold = this.#told;
    this.#more = false;
    this.#told = false;
    this.#readAtMs = performance.now();
    if (this.#after === undefined) this.#late = false;
    const drops = this.#drops;
    const known = this.#ahead ? new Set(this.#inHand().map(keyOf)) : undefined;
    const [due, late] = await Promise.all([
      this.#reads.listDue(this.#lane, this.#after, this.#batch),
      this.#lookBack(),
      findListenerOf(),
    ]);
    if (!this.#isOpen) return;
    // What was dropped meanwhile stands before what was found.
    if (drops !== this.#drops) return this.poke();
    const found = due.messages;
    this.#missed = wasTold && found.length === 0 && late.length === 0;
    // There may be more of these than one look back finds.
    this.#late ||= late.length > 0;
    this.#waiting.unshift(...late);
    this.#more ||= !due.isWhole;
    if (!due.isWhole) this.#batch = Math.min(BATCH, BATCH_GROWS_BY * this.#batch);
    // The last that was out may have been settled meanwhile, and the cursor be at the beginning again.
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

  /** A lane that is never done would else pass by what was posted before, and committed after, what it has fetched. */
  async #lookBack(): Promise<DueMessage[]> {
    const now = performance.now();
    if (this.#after === undefined || now < this.#lookedBackAtMs + LOOK_BACK_MS) return [];
    this.#lookedBackAtMs = now;
    this.#late = false;
    const query = { upTo: this.#after, inHand: this.#inHand(), limit: BATCH };
    return listLateMessages(this.#ctx.db, this.#lane, query);
  }
}
