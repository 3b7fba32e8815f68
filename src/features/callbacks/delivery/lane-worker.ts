import { LeaseTime } from '../../../platform/lanes/leases.ts';
import type { SendOutcome } from '../send-callback.ts';
import { askConsents } from './ask-consents.ts';
import { beginSpan } from './attempt-span.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import type { LaneDeps } from './lane-deps.ts';
import { isAcknowledged, nextAttemptAt, SendWindow } from './policy.ts';
import type { PreparedListener } from './prepare-listener.ts';
import { Sequences } from './sequences.ts';
import { LISTENER_SILENT } from './silence.ts';
import { type EndedAttempt, listDueMessages, listLateMessages } from './sql-lane.ts';
import { listDueOfMove } from './sql-move.ts';

const BATCH = 500;
/** Fetched ahead when this few are left, so that the listener need not wait for the database. */
const LOW_WATER = 100;
/** Sent but not yet recorded: what a worker that is killed can cause to be sent once more. */
const UNSETTLED_MAX = 256;
/** How often a busy lane is looked at for messages that were committed after later ones had been fetched. */
const LOOK_BACK_MS = 1_000;
/** How long messages that rest on a consent wait for others to be asked about with them. */
const RESTING_MS = 2;

/** Of one attempt: the next one of the same message is due at another time. */
const keyOf = ({ messageId, dueAt }: DueMessage) => `${messageId} ${dueAt}`;

/** Works one lane for as long as its lease lasts: fetches ahead, sends with a window, hands results to the recorder. */
export class LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: LaneDeps;
  readonly #window = new SendWindow();
  #queue: DueMessage[] = [];
  readonly #sequences = new Sequences();
  /** About to leave, if their consent holds. */
  readonly #resting: DueMessage[] = [];
  #after: DueMessage | undefined;
  /** Something beyond `#after` may be in hand too. */
  #ahead = false;
  #lookedBackAtMs = 0;
  #listener: PreparedListener | undefined;
  /** On their way to the listener, or about to leave. */
  readonly #underWay = new Set<DueMessage>();
  #unrecorded = 0;
  /** Under way or not yet recorded. */
  readonly #unsettled = new Map<string, DueMessage>();
  #fetching = false;
  #more = true;
  #stopped = false;
  readonly #lost = new AbortController();
  readonly #lease: LeaseTime;
  /** Real time of the last thing it did, for letting go of lanes that are quiet. */
  activeAtMs = performance.now();

  constructor(lane: LeasedLane, askedAtMs: number, deps: LaneDeps) {
    this.lane = lane;
    this.#deps = deps;
    this.#lease = new LeaseTime(askedAtMs);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get isIdle(): boolean {
    return (
      !this.#fetching &&
      this.#underWay.size === 0 &&
      this.#unrecorded === 0 &&
      (this.#queue.length === 0 || this.#stopped)
    );
  }

  renewed(askedAtMs: number): void {
    this.#lease.renewed(askedAtMs);
    // What came late was told of when nobody looked back.
    this.#more ||= this.#after !== undefined;
    this.#pump();
  }

  /** Starts nothing any more; what is under way ends and is recorded if the lease still is ours. */
  stop(): void {
    this.#stopped = true;
    this.#dropWaiting();
  }

  /** The lane is another worker's: attempts under way end, and theirs count instead. */
  abandon(): void {
    this.stop();
    this.#lost.abort();
  }

  /** Something may be due. */
  poke(): void {
    this.#more = true;
    void this.#fetch();
  }

  /** The next attempt goes to the new address, also of messages that were fetched before. */
  async listenerChanged(): Promise<void> {
    try {
      await this.#readListener();
    } catch (error) {
      this.#deps.ctx.log.error({ err: error }, 'could not read a changed listener');
    }
    this.poke();
  }

  settled(ended: readonly EndedAttempt[]): void {
    this.#unrecorded -= ended.length;
    for (const { message } of ended) this.#unsettled.delete(keyOf(message));
    this.#rewind();
    if (this.#more) void this.#fetch();
    this.#pump();
  }

  /** When everything handed out is settled, one more look finds what was committed late behind the cursor. */
  #rewind(): void {
    if (this.#queue.length > 0 || this.#underWay.size > 0 || this.#unrecorded > 0) return;
    this.#more ||= this.#after !== undefined;
    this.#after = undefined;
    this.#ahead = false;
  }

  /** Holds from the moment it is known: the next attempt goes to the new address, and without one to nobody. */
  async #readListener(): Promise<void> {
    this.#listener = await this.#deps.readListener(this.lane);
    if (this.#listener === undefined) this.#dropWaiting();
  }

  #dropWaiting(): void {
    this.#queue = [];
    this.#sequences.forget();
  }

  #wantsMore(): boolean {
    return this.#more && this.#queue.length <= LOW_WATER && this.#sequences.held <= BATCH;
  }

  /** The move that waits behind what calls have brought: they have filled the queue, and none of it is the move's. */
  #blockedMove(): number | undefined {
    const nr = this.#deps.ctx.clock.move()?.nr;
    return nr === undefined || this.#queue.some(({ moveNr }) => moveNr <= nr) ? undefined : nr;
  }

  async #fetch(): Promise<void> {
    if (this.#fetching || this.#stopped) return;
    const blocked = this.#wantsMore() ? undefined : this.#blockedMove();
    if (blocked === undefined && !this.#wantsMore()) return;
    this.#fetching = true;
    this.activeAtMs = performance.now();
    const { ctx, reads } = this.#deps;
    try {
      await (blocked === undefined ? this.#fetchNext() : this.#fetchOfMove(blocked));
      reads.passed();
    } catch (error) {
      reads.failed(error);
      this.#more = false;
      ctx.log.error({ err: error }, 'could not read due callbacks');
    } finally {
      this.#fetching = false;
    }
    this.#pump();
  }

  async #fetchNext(): Promise<void> {
    const { ctx } = this.#deps;
    const query = { now: ctx.now(), after: this.#after, limit: BATCH };
    const known = this.#ahead ? new Set(this.#inHand().map(keyOf)) : undefined;
    // The listener is read with every batch, and beside it: an idle service answers a round trip sooner.
    const [due, late] = await Promise.all([
      listDueMessages(ctx.db, this.lane, query),
      this.#lookBack(),
      this.#readListener(),
    ]);
    const found = this.#listener === undefined ? [] : due;
    if (!this.#stopped && this.#listener !== undefined) this.#queue.unshift(...late);
    // Nothing at all before anything was handed out: the lane is done for now.
    this.#more = found.length > 0;
    this.#after = found.at(-1) ?? this.#after;
    if (this.#stopped) return;
    this.#queue.push(...(known === undefined ? found : found.filter((each) => !known.has(keyOf(each)))));
  }

  async #fetchOfMove(nr: number): Promise<void> {
    const { ctx } = this.#deps;
    const query = { nr, now: ctx.now(), inHand: this.#inHand(), limit: BATCH };
    const found = await listDueOfMove(ctx.db, this.lane, query);
    if (this.#stopped || this.#listener === undefined || found.length === 0) return;
    this.#queue.unshift(...found);
    this.#ahead = true;
  }

  #inHand(): DueMessage[] {
    return [...this.#queue, ...this.#sequences.waiting(), ...this.#unsettled.values()];
  }

  /** A lane that is never done would else pass by what was posted before, and committed after, what it has fetched. */
  async #lookBack(): Promise<DueMessage[]> {
    const now = performance.now();
    if (this.#after === undefined || now < this.#lookedBackAtMs + LOOK_BACK_MS) return [];
    this.#lookedBackAtMs = now;
    const query = { upTo: this.#after, inHand: this.#inHand(), limit: BATCH };
    return listLateMessages(this.#deps.ctx.db, this.lane, query);
  }

  #maySend(): boolean {
    return !this.#stopped && this.#underWay.size + this.#unrecorded < UNSETTLED_MAX && this.#lease.isSafe;
  }

  #takeNext(): DueMessage | undefined {
    if (this.#queue.length === 0 || !this.#maySend()) return undefined;
    const hasPlace = this.#underWay.size < this.#window.size;
    const nth = this.#deps.silence.choose(this.lane, this.#queue, { hasPlace, sent: this.#underWay });
    return nth < 0 ? undefined : this.#queue.splice(nth, 1)[0];
  }

  #pump(): void {
    for (let message = this.#takeNext(); message !== undefined; message = this.#takeNext()) {
      if (message.orderKey !== null && !this.#sequences.enter(message)) continue;
      this.#underWay.add(message);
      this.#unsettled.set(keyOf(message), message);
      if (this.#deps.silence.isGivenUp(this.lane, message))
        this.#ended(message, this.#deps.ctx.now(), LISTENER_SILENT);
      else if (message.restsOn === null) void this.#sendOne(message, this.#listener!);
      else this.#rest(message);
    }
    if (this.#wantsMore()) void this.#fetch();
  }

  /** Those that end at nearly the same time are asked about together. */
  #rest(message: DueMessage): void {
    this.#resting.push(message);
    if (this.#resting.length > 1) return;
    setTimeout(() => void this.#sendResting(this.#resting.splice(0)), RESTING_MS);
  }

  /** Consent is asked for when the messages leave, not when they were fetched: that may be long ago. */
  async #sendResting(messages: readonly DueMessage[]): Promise<void> {
    const answer = await askConsents(this.#deps, this.lane, messages);
    const listener = this.#listener;
    const isSafe = !this.#stopped && this.#lease.isSafe;
    if (answer === undefined || listener === undefined || !isSafe) {
      // Not sent, and so not lost: they are the next ones when the lease is renewed.
      const back = messages.flatMap((message) => [message, ...this.#takeBack(message)]);
      if (!this.#stopped && listener !== undefined) this.#queue.unshift(...back);
      return;
    }
    for (const message of messages) {
      const instead = answer.instead.get(message.messageId);
      if (answer.kept.has(message.messageId)) void this.#sendOne(message, listener, instead);
      // Erased since it was fetched.
      else this.#queue.unshift(...this.#takeBack(message));
    }
    this.#rewind();
    this.#pump();
  }

  /** It was not sent; answers those that have waited for it. */
  #takeBack(message: DueMessage): readonly DueMessage[] {
    this.#underWay.delete(message);
    this.#unsettled.delete(keyOf(message));
    return this.#sequences.leave(message);
  }

  async #sendOne(message: DueMessage, listener: PreparedListener, payload = message.payload): Promise<void> {
    const { ctx, send, silence, tracing } = this.#deps;
    const startedAt = ctx.now();
    const attempt = message.attemptsMade + 1;
    const span = beginSpan(tracing, this.lane, message, attempt);
    const outcome = await send(listener.outgoing({ ...message, payload }, attempt, span?.traceparent), {
      signal: this.#lost.signal,
      patience: silence.patience(this.lane, message),
    });
    this.#underWay.delete(message);
    span?.end({
      failure: isAcknowledged(outcome) ? undefined : (outcome.error ?? 'not acknowledged'),
      attributes: { 'http.response.status_code': outcome.status ?? undefined },
    });
    this.#window.note(outcome);
    silence.ended(this.lane, message, outcome, this.#underWay);
    this.#ended(message, startedAt, outcome);
    this.#pump();
  }

  #ended(message: DueMessage, startedAt: Date, outcome: SendOutcome): void {
    const { ctx, recorder, onOutcome } = this.#deps;
    this.activeAtMs = performance.now();
    this.#underWay.delete(message);
    this.#unrecorded++;
    if (message.orderKey !== null) this.#queue.unshift(...this.#sequences.leave(message));
    onOutcome(this.lane, outcome);
    const nextDueAt = nextAttemptAt(outcome, message.attemptsMade + 1, ctx.now());
    recorder.add({ lane: this.lane, message, startedAt, outcome, nextDueAt });
  }
}
