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

/** A lane without work is released after this time, so that any worker can claim it. */
const QUIET_MS = 2_000;
/** Attempts sent but not yet recorded: a killed worker can cause at most this many repeats. */
const UNSETTLED_MAX = 256;
/** How long messages that depend on a consent wait for others, to be checked together. */
const CONSENT_BATCH_MS = 2;

/** Dependencies that the engine passes to each worker. */
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
  /** Reports whether due messages can be read. */
  readonly reads: Loop;
  /** Reports whether consents can be checked. */
  readonly consents: Loop;
  readonly tracing: Tracing;
  /** Whether other lanes may be waiting for this lane's place. */
  readonly isCrowded: (lane: LeasedLane) => boolean;
}

/** Sends the due messages of one listener within a window and passes the results to the recorder. */
export class CallbackWorker implements LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: WorkerDeps;
  readonly #lease: LeaseTime;
  readonly #queue: DueQueue;
  readonly #window = new SendWindow();
  /** About to be sent, if the consent still holds. */
  readonly #awaitingConsent: DueMessage[] = [];
  readonly #listener: ListenerOfLane;
  /** Being sent, or about to be. */
  readonly #underWay = new Set<DueMessage>();
  #fetching = false;
  #stopped = false;
  readonly #lost = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  /** Real time of the last activity. */
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
    this.#queue.markStale();
    this.#pump();
  }

  giveWay(): void {
    if (this.isIdle) this.#end();
  }

  /** Starts no more attempts; those under way end and are recorded if that succeeds soon. */
  stop(): void {
    this.#stopped = true;
    this.#queue.open(false);
    this.#deps.recorder.hurry();
  }

  /** Attempts under way end, and the attempts of the new holder count instead. */
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

  /** The next attempt uses the new address, even for messages fetched before the change. */
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

  /** Takes effect at once: the next attempt uses the new address, and without one there is no attempt. */
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

  /** A quiet lane keeps its place for the next message, unless other lanes wait for the place. */
  #leaveIfCrowded(): void {
    if (this.isIdle && this.#deps.isCrowded(this.lane)) this.#end();
  }

  /** Index of the next waiting message that may be sent; -1 if there is none. */
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
    else this.#awaitConsent(message);
  }

  #leave(message: DueMessage): void {
    if (this.#underWay.delete(message) && this.#underWay.size === 0) this.#deps.budget.count(-1);
  }

  /** Messages that become ready at nearly the same time share one consent check. */
  #awaitConsent(message: DueMessage): void {
    this.#awaitingConsent.push(message);
    if (this.#awaitingConsent.length > 1) return;
    setTimeout(() => void this.#sendWithConsent(this.#awaitingConsent.splice(0)), CONSENT_BATCH_MS);
  }

  /** Checks the consent at sending, because the messages may have been fetched long before. */
  async #sendWithConsent(messages: readonly DueMessage[]): Promise<void> {
    const answer = await this.#askConsents(messages);
    const listener = this.#listener.prepared;
    const isSafe = !this.#stopped && this.#lease.isSafe;
    // Messages put back here are sent after the next renewal of the lease.
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

  /** Replacement payloads, and the messages that were not erased. Undefined if the check failed. */
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
      ctx.log.error({ err: error }, 'could not check the consents of callbacks');
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
