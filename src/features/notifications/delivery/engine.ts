import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import { createPatience, type MoveStep, type TimedWork } from '../../../platform/flow-control/timed-work.ts';
import type { DueWork } from '../../../platform/health/due-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { forEachSourceIsolated } from '../../../platform/health/isolate-failures.ts';
import { createRenewals, renewLanes } from '../../../platform/lanes/leases.ts';
import { createSweeper } from '../../../platform/lanes/sweeper.ts';
import { noTracing, type Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import { CHANNELS, type Channel } from '../notification.ts';
import type { RecipientOutcome, Way } from '../send-notification.ts';
import { NOTIFICATION_CHANNEL } from '../sql-notification.ts';
import { type Lane, type LeasedLane, laneKey } from './lane.ts';
import { LaneWorker, type Sent } from './lane-worker.ts';
import * as store from './sql-lane.ts';

/** Of each channel, so that a mail server that hangs leaves SMS alone. */
const LANES_MAX = 8;
const LANE_POLL_MS = 50;

type Counts = Record<RecipientOutcome['kind'], number>;

export interface NotificationEngine extends TimedWork {
  start(): void;
  /** Starts nothing more and waits for what is under way, so long at most; the rest is left to the leases. */
  stop(graceMs: number): Promise<void>;
  /** For the metrics: recipients by channel and outcome since the start. */
  readonly counts: Readonly<Record<Channel, Readonly<Counts>>>;
  /** For the metrics: recipients that wait, and the age of the oldest in seconds, of each channel. */
  backlog(): Promise<
    Readonly<Record<'mailWaiting' | 'mailOldestSeconds' | 'smsWaiting' | 'smsOldestSeconds', number>>
  >;
  /** See FindOldestDue. */
  findOldestDue(db: Db, channel: Channel): Promise<DueWork | undefined>;
}

export interface NotificationDeps {
  readonly ways: Readonly<Record<Channel, Way>>;
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  readonly tracing?: Tracing;
}

const noCounts = (): Counts => ({ sent: 0, captured: 0, deferred: 0, failed: 0, unconfigured: 0 });

export function createNotificationEngine(
  ctx: Ctx,
  { ways, feed, health = createHealth(), tracing = noTracing }: NotificationDeps,
): NotificationEngine {
  const held = new Map<string, { readonly worker: LaneWorker; readonly ended: Promise<void> }>();
  const counts = { mail: noCounts(), sms: noCounts() };
  const limits = { mail: concurrencyLimit(ways.mail.atOnce), sms: concurrencyLimit(ways.sms.atOnce) };
  const claims = health.loop('notifications.claim');
  const sends = health.loop('notifications.send', { occasional: true });
  const renewing = health.loop('notifications.renew');
  let stopping = false;
  const patience = createPatience();
  /** Told of what has been recorded. */
  const watching = new Set<(sent: readonly Sent[]) => void>();

  const onEnded = ({ channel }: LeasedLane, sent: readonly Sent[]) => {
    for (const watch of watching) watch(sent);
    const outcomes = sent.map(({ outcome }) => outcome);
    for (const { kind } of outcomes) counts[channel][kind]++;
    const unconfigured = outcomes.find(({ kind }) => kind === 'unconfigured');
    if (unconfigured?.kind === 'unconfigured')
      ctx.log.warn({ channel, reason: unconfigured.reason }, 'notifications were recorded and not sent');
  };

  function launch(lane: LeasedLane, askedAtMs: number): void {
    const { channel } = lane;
    const deps = { ctx, way: ways[channel], limit: limits[channel], onEnded, sends, tracing };
    const worker = new LaneWorker(lane, askedAtMs, deps);
    const key = laneKey(lane);
    const ended = worker
      .run()
      .then(sends.passed, (error: unknown) => {
        sends.failed(error);
        ctx.log.error({ err: error }, 'a lane of notifications ended early');
      })
      .finally(() => {
        held.delete(key);
        // Something may have been posted between the last look and letting the lane go.
        sweeper.soon();
      });
    held.set(key, { worker, ended });
  }

  /** Profiles with something due that nobody sends, as many as this process may hold, the oldest first. */
  async function listFree(db: Db, channel: Channel) {
    const room =
      LANES_MAX - [...held.values()].filter(({ worker }) => worker.lane.channel === channel).length;
    if (room <= 0 || stopping || !ctx.clock.isRight()) return [];
    return store.listDueLanes(db, { channel, dueBy: ctx.now(), limit: room });
  }

  async function claimTurn(): Promise<number> {
    const find = async (channel: Channel) =>
      (await listFree(ctx.db, channel)).filter((lane) => !held.has(laneKey(lane)));
    const claim = async (lane: Lane) => {
      const askedAtMs = performance.now();
      const leased = await store.claimLane(ctx.db, lane, randomUUID());
      if (leased === undefined) return 0;
      launch(leased, askedAtMs);
      renewals.begin();
      return 1;
    };
    return forEachSourceIsolated(CHANNELS, find, claim, onClaimError, claims);
  }

  const onClaimError = (error: unknown) =>
    ctx.log.error({ err: error }, 'could not look for due notifications');

  const sweeper = createSweeper({
    find: claimTurn,
    loop: claims,
    onError: onClaimError,
  });

  const onRenewError = (error: unknown) =>
    ctx.log.error({ err: error }, 'could not renew lanes of notifications');
  const renewals = createRenewals({
    isHolding: () => held.size > 0,
    turn: () =>
      renewLanes({
        held: [...held.values()].map(({ worker }) => worker),
        keyOf: laneKey,
        renew: (ecpdId, lanes) => store.renewLanes(ctx.db, ecpdId, lanes),
        onLost: (worker) => worker.stop(),
        onError: onRenewError,
        loop: renewing,
      }),
    loop: renewing,
    onError: onRenewError,
  });

  const runs = () => [...held.values()].map(({ ended }) => ended);

  /** Of what the move waits for; without one, of all that is due and under way. */
  async function isFinished(step: MoveStep | undefined): Promise<boolean> {
    if (step !== undefined) return !(await store.hasDueOfMove(ctx.db, step));
    const next = await store.findNextDue(ctx.db);
    return held.size === 0 && (next === undefined || next > ctx.now());
  }

  async function finish(step: MoveStep | undefined, recorded: () => number): Promise<void> {
    const isStalled = step === undefined ? () => false : patience(step);
    while (!step?.signal.aborted && ctx.clock.isRight() && !(await isFinished(step))) {
      await sweeper.look();
      // Due, and not ours: the lane is another's for as long as its lease lasts.
      await Promise.race([...runs(), sleep(LANE_POLL_MS)]);
      if (isStalled(recorded()))
        return void ctx.log.warn('the clock goes on without notifications that could not be sent');
    }
  }

  return {
    counts,
    async backlog() {
      const rows = new Map((await store.readBacklog(ctx.db, ctx.now())).map((row) => [row.channel, row]));
      return {
        mailWaiting: rows.get('mail')?.waiting ?? 0,
        mailOldestSeconds: rows.get('mail')?.oldestSeconds ?? 0,
        smsWaiting: rows.get('sms')?.waiting ?? 0,
        smsOldestSeconds: rows.get('sms')?.oldestSeconds ?? 0,
      };
    },
    start() {
      feed?.on(NOTIFICATION_CHANNEL, sweeper.soon);
      sends.begin();
      renewing.rest();
      sweeper.start();
    },
    async stop(graceMs) {
      stopping = true;
      await sweeper.stop();
      for (const { worker } of held.values()) worker.stop();
      const patience = new AbortController();
      await Promise.race([
        Promise.all(runs()),
        sleep(graceMs, undefined, { signal: patience.signal }).catch(() => {}),
      ]);
      patience.abort();
      renewals.stop();
      sends.rest();
    },
    async settle(step) {
      let recorded = 0;
      const count = (sent: readonly Sent[]) => {
        recorded += sent.filter(({ due }) => step === undefined || due.moveNr <= step.nr).length;
      };
      watching.add(count);
      try {
        await finish(step, () => recorded);
      } finally {
        watching.delete(count);
      }
      return recorded;
    },
    nextDueAt: (scope) =>
      scope === undefined ? store.findNextDue(ctx.db) : store.findNextOfMove(ctx.db, scope),
    async findOldestDue(db, channel) {
      const [oldest] = await listFree(db, channel);
      return oldest && { key: laneKey(oldest), dueAt: oldest.dueAt };
    },
    countUnfinished: (until, scope) => store.countDue(ctx.db, until, scope?.nr),
  };
}
