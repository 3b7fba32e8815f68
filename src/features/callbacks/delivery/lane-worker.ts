import type { Ctx } from '../../../platform/context/context.ts';
import type { Loop } from '../../../platform/health/health.ts';
import type { LaneWorker } from '../../../platform/lanes/lane.ts';
import type { LeaseTime } from '../../../platform/lanes/leases.ts';
import type { Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { SendCallback, SendOutcome, WithholdPayloads } from '../send-callback.ts';
import { DueQueue } from './due-queue.ts';
import type { EndedAttempt } from './ended-attempt.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import type { LaneReads } from './lane-reads.ts';
import { ListenerOfLane } from './listener-of-lane.ts';
import { isAcknowledged, nextAttemptAt, SendWindow } from './policy.ts';
import { type PreparedListener, type SignedCallback, withoutSecrets } from './prepare-listener.ts';
import type { Recorder } from './recorder.ts';
import type { SendBudget } from './send-budget.ts';
import type { SendPace } from './send-pace.ts';
import { LISTENER_SILENT, type SilentListeners } from './silence.ts';
import { listKeptMessages } from './sql-due.ts';

/** A lane without work is let go after this, so that any worker can take it. */
const QUIET_MS = 2_000;
/** Sent but not yet recorded: what a worker that is killed can cause to be sent once more. */
const UNSETTLED_MAX = 256;
/** How long messages that rest on a consent wait for others to be asked about with them. */
const RESTING_MS = 2;

/** What the worker of a lane gets from the engine. */
export interface WorkerDeps {
  readonly ctx: Ctx;
  readonly send: SendCallback;
  readonly userAgent: string;
  readonly laneReads: LaneReads;
  readonly recorder: Recorder;
  readonly budget: SendBudget;
  readonly pace: SendPace;
  readonly withhold: WithholdPayloads;
  readonly silence: SilentListeners;
  readonly onOutcome: (outcome: SendOutcome) => void;
  /** Hears whether what is to be sent can be read. */
  readonly reads: Loop;
  /** Hears whether it can be asked what may be sent. */
  readonly consents: Loop;
  readonly tracing: Tracing;
  /** Whether other lanes may wait for the place of this one. */
  readonly isCrowded: (lane: LeasedLane) => boolean;
}

/** Sends what is due to one listener, with a window, and hands the results to the recorder. */
export class CallbackWorker implements LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: WorkerDeps;
  readonly #lease: LeaseTime;
  readonly #queue: DueQueue;
  readonly #window = new SendWindow();
  /** About to leave, if their consent holds. */
  readonly #resting: DueMessage[] = [];
  readonly #listener: ListenerOfLane;
  /** On their way to the listener, or about to leave. */
  readonly #underWay = new Set<DueMessage>();
  #fetching = false;
  #stopped = false;
  readonly #lost = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  /** Real time of the last thing it did. */
  #activeAtMs = performance.now();

  constructor(lane: LeasedLane, lease: LeaseTime, deps: WorkerDeps) {
    this.lane = lane;
    this.#deps = deps;
    this.#lease = lease;
    this.#queue = new DueQueue(deps.ctx, deps.laneReads, lane);
    this.#listener = new ListenerOfLane(deps, lane);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get isIdle(): boolean {
    return !this.#fetching && this.#queue.out === 0 && this.#queue.waiting.length === 0;
  }

  run(): Promise<void> {
    this.poke();
    return this.#over.promise;
  }

  renewed(): void {
    if (this.isIdle && this.#activeAtMs < performance.now() - QUIET_MS) return void this.#end();
    this.#queue.lookAgain();
    this.#pump();
  }

  giveWay(): void {
    if (this.isIdle) this.#end();
  }

  /** Starts nothing any more; what is under way ends, and is recorded if that can be done soon. */
  stop(): void {
    this.#stopped = true;
    this.#queue.open(false);
    this.#deps.recorder.hurry();
  }

  /** Attempts under way end, and those of the other worker count instead. */
  lost(): void {
    this.#end();
    this.#lost.abort();
  }

  #end(): void {
    this.#stopped = true;
    this.#queue.open(false);
    this.#over.resolve();
  }

  poke(): void {
    this.#queue.poke();
    void this.#fetch();
  }

  /** The next attempt goes to the new address, also of messages that were fetched before. */
  async listenerChanged(): Promise<void> {
    try {
      await this.#findListenerOf();
    } catch (error) {
      this.#deps.ctx.log.error({ err: error }, 'could not read a changed listener');
    }
    this.poke();
  }

  settled(ended: readonly EndedAttempt[]): void {
    this.#queue.settled(ended.map(({ message }) => message));
    void this.#fetch();
    this.#pump();
    this.#leaveIfCrowded();
  }

  /** Holds from the moment it is known: the next attempt goes to the new address, and without one to nobody. */
  async #findListenerOf(): Promise<void> {
    await this.#listener.find();
    this.#queue.open(this.#listener.prepared !== undefined && !this.#stopped);
  }

  async #fetch(): Promise<void> {
    if (this.#fetching || this.#stopped || !this.#queue.wantsMore) return;
    this.#fetching = true;
    this.#activeAtMs = performance.now();
    const { ctx, reads } = this.#deps;
    let isRead = false;
    try {
      await this.#queue.read(() => this.#findListenerOf());
      reads.passed();
      isRead = true;
    } catch (error) {
      reads.failed(error);
      ctx.log.error({ err: error }, 'could not read due callbacks');
    } finally {
      this.#fetching = false;
    }
    this.#pump();
    if (isRead) this.#leaveIfCrowded();
  }

  /** A quiet lane is kept for what usually comes next, and not while others wait for its place. */
  #leaveIfCrowded(): void {
    if (this.isIdle && this.#deps.isCrowded(this.lane)) this.#end();
  }

  /** Where the next message that may leave stands among those that wait; -1 where none may. */
  #next(): number {
    const { waiting, out } = this.#queue;
    if (waiting.length === 0 || this.#stopped || out >= UNSETTLED_MAX || !this.#lease.isSafe) return -1;
    if (this.#listener.prepared === undefined) return -1;
    const hasPlace = this.#underWay.size < Math.min(this.#window.size, this.#deps.budget.share);
    return this.#deps.silence.choose(this.lane, waiting, { hasPlace, sent: this.#underWay });
  }

  readonly #pumpLater = () => this.#pump();

  #pump(): void {
    for (let nth = this.#next(); nth >= 0; nth = this.#next()) {
      if (this.#underWay.size > 0 && !this.#deps.pace.admits(this.#pumpLater)) break;
      const message = this.#queue.take(nth);
      if (message !== undefined) this.#begin(message);
    }
    if (this.#queue.isLow) void this.#fetch();
  }

  #begin(message: DueMessage): void {
    const { ctx, silence } = this.#deps;
    this.#underWay.add(message);
    if (this.#underWay.size === 1) this.#deps.budget.count(1);
    if (silence.isGivenUp(this.lane, message)) this.#ended(message, ctx.now(), LISTENER_SILENT);
    else if (message.restsOn === null) void this.#sendOne(message, this.#listener.prepared!);
    else this.#rest(message);
  }

  /** It is not under way any more. */
  #leave(message: DueMessage): void {
    if (this.#underWay.delete(message) && this.#underWay.size === 0) this.#deps.budget.count(-1);
  }

  /** Those that end at nearly the same time are asked about together. */
  #rest(message: DueMessage): void {
    this.#resting.push(message);
    if (this.#resting.length > 1) return;
    setTimeout(() => void this.#sendResting(this.#resting.splice(0)), RESTING_MS);
  }

  /** Consent is asked for when the messages leave, not when they were fetched: that may be long ago. */
  async #sendResting(messages: readonly DueMessage[]): Promise<void> {
    const answer = await this.#askConsents(messages);
    const listener = this.#listener.prepared;
    const isSafe = !this.#stopped && this.#lease.isSafe;
    // What is put back goes on when the lease is renewed.
    if (answer === undefined || listener === undefined || !isSafe) return void this.#putBack(messages);
    const isKept = ({ messageId }: DueMessage) => answer.kept.has(messageId);
    for (const message of messages.filter(isKept))
      void this.#sendOne(message, listener, answer.instead.get(message.messageId));
    this.#putBack(
      messages.filter((message) => !isKept(message)),
      { erased: true },
    );
    this.#queue.rewind();
    this.#pump();
  }

  /** What leaves instead, and which were not erased. Undefined where nobody can tell now. */
  async #askConsents(messages: readonly DueMessage[]) {
    const { ctx, withhold, consents } = this.#deps;
    try {
      const resting = messages.map((message) => ({ ...message, restsOn: message.restsOn! }));
      const ids = messages.map(({ messageId }) => messageId);
      const [instead, kept] = await Promise.all([
        withhold(ctx, this.lane, resting),
        listKeptMessages(ctx.db, this.lane, ids),
      ]);
      consents.passed();
      return { instead, kept };
    } catch (error) {
      consents.failed(error);
      ctx.log.error({ err: error }, 'could not ask for the consent of callbacks');
      return undefined;
    }
  }

  #putBack(messages: readonly DueMessage[], how?: { readonly erased: boolean }): void {
    for (const message of messages) this.#leave(message);
    this.#queue.putBack(messages, how);
  }

  async #sendOne(message: DueMessage, listener: PreparedListener, instead?: string): Promise<void> {
    const { ctx, send, silence, tracing } = this.#deps;
    const startedAt = ctx.now();
    const attempt = message.attemptsMade + 1;
    const span = tracing.begin(`callback ${this.lane.serviceName}`, {
      kind: 'client',
      parent: message.trace ?? undefined,
      attributes: {
        'linekeeper.account': this.lane.accountName,
        'linekeeper.message_id': message.messageId,
        'linekeeper.request_id': message.requestId,
        'linekeeper.attempt': attempt,
      },
    });
    const sent = instead === undefined ? message : { ...message, payload: instead };
    const signed = listener.outgoing(sent, { attempt, signedAt: new Date(), trace: span?.traceparent });
    const outcome = await send(signed, {
      signal: this.#lost.signal,
      patience: silence.patience(this.lane, message),
    });
    this.#leave(message);
    span?.end({
      failure: isAcknowledged(outcome) ? undefined : (outcome.error ?? 'not acknowledged'),
      attributes: { 'http.response.status_code': outcome.status ?? undefined },
    });
    this.#window.note(outcome);
    silence.ended(this.lane, message, outcome, this.#underWay);
    this.#ended(message, startedAt, withoutSecrets(outcome, listener), signed);
    this.#pump();
  }

  #ended(message: DueMessage, startedAt: Date, outcome: SendOutcome, signed?: SignedCallback): void {
    const { ctx, recorder, onOutcome } = this.#deps;
    this.#activeAtMs = performance.now();
    this.#leave(message);
    this.#queue.ended(message);
    onOutcome(outcome);
    const nextDueAt = isAcknowledged(outcome)
      ? undefined
      : nextAttemptAt(outcome, message.attemptsMade + 1, ctx.now());
    recorder.add({ lane: this.lane, message, startedAt, outcome, nextDueAt, signed });
  }
}
