import type { Ctx } from '../../../platform/context/context.ts';
import type { ConcurrencyLimit } from '../../../platform/flow-control/limits.ts';
import type { Loop } from '../../../platform/health/health.ts';
import type { LaneWorker } from '../../../platform/lanes/lane.ts';
import type { LeaseTime } from '../../../platform/lanes/leases.ts';
import { keepTrying } from '../../../platform/lanes/sweeper.ts';
import type { Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { RecipientOutcome, Sender } from '../send-notification.ts';
import type { DueRecipient, LeasedLane } from './lane.ts';
import { type EndedRecipient, listDueRecipients, recordOutcomes } from './sql-lane.ts';

const BATCH = 500;
const RECORD_RETRY_MS = [500, 500] as const;
const REASON_MAX = 300;
/** After this many messages in a row found no server, the batch stops. One alone may have broken its own connection. */
const DOWN_IN_A_ROW = 3;

const MINUTE_MS = 60_000;
/** About a day in total: greylisting defers a mail for minutes, a broken mail server for hours. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 360, 720];

const NOT_TRIED: RecipientOutcome = {
  kind: 'deferred',
  reason: 'the messages before it found no server',
  serverDown: true,
};
const isDown = (outcome: RecipientOutcome) => outcome.kind === 'deferred' && outcome.serverDown;

export interface Sent {
  readonly due: DueRecipient;
  readonly outcome: RecipientOutcome;
}

interface LaneDeps {
  readonly ctx: Ctx;
  readonly sender: Sender;
  readonly turnstile: ConcurrencyLimit;
  /** The health loop that shows whether outcomes can be recorded. */
  readonly sends: Loop;
  readonly tracing: Tracing;
  /** Called after the outcomes are recorded. */
  readonly onEnded: (lane: LeasedLane, sent: readonly Sent[]) => void;
}

/**
 * Sends one batch of a lane: a few messages at a time, each group recorded before the next is sent. The lane
 * is then released, and the profile that has waited longest comes next.
 */
export class NotificationWorker implements LaneWorker {
  readonly lane: LeasedLane;
  readonly #deps: LaneDeps;
  readonly #lease: LeaseTime;
  #stopped = false;
  #downInARow = 0;

  constructor(lane: LeasedLane, lease: LeaseTime, deps: LaneDeps) {
    this.lane = lane;
    this.#deps = deps;
    this.#lease = lease;
  }

  /** Starts no more sends. Those in progress finish and are recorded if this worker still holds the lane. */
  stop(): void {
    this.#stopped = true;
  }

  lost(): void {
    this.stop();
  }

  async run(): Promise<void> {
    const { sends } = this.#deps;
    await this.#sendBatch().then(sends.passed, (error: unknown) => {
      sends.failed(error);
      throw error;
    });
  }

  async #sendBatch(): Promise<void> {
    const { ctx, sender } = this.#deps;
    const due = await listDueRecipients(ctx.db, this.lane, ctx.now(), BATCH);
    const messages = intoMessages(due, sender.recipientsMax);
    while (messages.length > 0 && !this.#stopped) {
      const sent = await Promise.all(messages.splice(0, sender.atOnce).map((of) => this.#sendOne(of)));
      const ended = sent.flat();
      // The lease was about to end before anything was sent: the next holder of the lane continues.
      if (ended.length === 0) return;
      await this.#record(ended);
    }
  }

  #sendOne(of: readonly DueRecipient[]): Promise<readonly Sent[]> {
    const { sender, turnstile, ctx, tracing } = this.#deps;
    return turnstile.run(async () => {
      if (this.#stopped || !this.#lease.isSafe) return [];
      if (this.#downInARow >= DOWN_IN_A_ROW) return of.map((due) => ({ due, outcome: NOT_TRIED }));
      const { notificationId, subject, text, trace } = of[0]!;
      const span = tracing.begin(this.lane.channel, {
        kind: 'client',
        parent: trace ?? undefined,
        attributes: { 'linekeeper.notification_id': notificationId, 'linekeeper.recipients': of.length },
      });
      const to = of.map(({ recipient }) => recipient);
      const outcomes = await sender.send({ notificationId, to, subject, text }).catch((error: unknown) => {
        ctx.log.error({ err: error, channel: this.lane.channel }, 'a notification could not be sent');
        return of.map(() => ({ kind: 'deferred', reason: 'could not be sent', serverDown: true }) as const);
      });
      span?.end({ failure: outcomes.find((outcome) => 'reason' in outcome)?.kind });
      this.#downInARow = outcomes.every(isDown) ? this.#downInARow + 1 : 0;
      return of.map((due, i) => ({ due, outcome: outcomes[i]! }));
    });
  }

  /**
   * The next messages are sent only after these are recorded or another worker holds the lane. If outcomes
   * could not be recorded, the same messages would be sent again forever.
   */
  async #record(sent: readonly Sent[]): Promise<void> {
    const { ctx, onEnded, sends } = this.#deps;
    const endedAt = ctx.now();
    const ended = sent.map(({ due, outcome }) => endOf(due, outcome, endedAt));
    const record = () => recordOutcomes(ctx.db, this.lane, ended, endedAt);
    const isRecorded = await keepTrying(record, RECORD_RETRY_MS, sends, (err) => {
      ctx.log.error({ err, count: ended.length }, 'could not record the outcomes of notifications');
      return !this.#stopped;
    });
    if (isRecorded) onEnded(this.lane, sent);
  }
}

/** Recipients of one notification share a message, up to the sender's limit. */
function intoMessages(due: readonly DueRecipient[], max: number): (readonly DueRecipient[])[] {
  return Map.groupBy(due, ({ notificationId }) => notificationId)
    .values()
    .flatMap((of) =>
      Array.from({ length: Math.ceil(of.length / max) }, (_, i) => of.slice(i * max, (i + 1) * max)),
    )
    .toArray();
}

function endOf(due: DueRecipient, outcome: RecipientOutcome, endedAt: Date): EndedRecipient {
  if (!('reason' in outcome)) return { due, state: outcome.kind, reason: null, nextDueAt: null };
  // The reason is text from a server. A character the database rejects would keep the whole batch unrecorded.
  const reason = outcome.reason.toWellFormed().replaceAll('\u0000', '').slice(0, REASON_MAX);
  // Past the end of the list there are no more attempts.
  const minutes = outcome.kind === 'deferred' ? RETRY_MINUTES[due.attemptsMade] : undefined;
  const nextDueAt = minutes === undefined ? null : new Date(endedAt.getTime() + minutes * MINUTE_MS);
  return { due, state: nextDueAt === null ? 'failed' : 'waiting', reason, nextDueAt };
}
