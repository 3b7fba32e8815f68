import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { NotificationFeed } from '../../../platform/db/listen.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import type { TimedWork } from '../../../platform/flow-control/timed-work.ts';
import type { DueWork } from '../../../platform/health/due-work.ts';
import { createHealth, type Health } from '../../../platform/health/health.ts';
import { LaneEngine } from '../../../platform/lanes/engine.ts';
import { timesOf } from '../../../platform/lanes/sql-times.ts';
import { noTracing, type Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { Channel } from '../notification.ts';
import type { RecipientOutcome, Sender } from '../send-notification.ts';
import { NOTIFICATION_CHANNEL } from '../sql-notification.ts';
import { type Lane, type LeasedLane, laneKey } from './lane.ts';
import { NotificationWorker, type Sent } from './lane-worker.ts';
import * as store from './sql-lane.ts';

/** Each channel has its own pool, so a mail server that hangs does not delay SMS. */
const PLACES = { places: 8, placesPerProfile: 8 };
const POOLS = { mail: { channel: 'mail', ...PLACES }, sms: { channel: 'sms', ...PLACES } } as const;

type Counts = Record<RecipientOutcome['kind'], number>;

export interface NotificationEngine extends TimedWork {
  start(): void;
  /** Starts no more sends and waits at most this long for those in progress; the leases of the rest run out. */
  stop(graceMs: number): Promise<void>;
  /** For the metrics: recipients by channel and outcome since the process started. */
  readonly counts: Readonly<Record<Channel, Readonly<Counts>>>;
  /** For the metrics: waiting recipients and the age of the oldest in seconds, for each channel. */
  backlog(): Promise<
    Readonly<Record<'mailWaiting' | 'mailOldestSeconds' | 'smsWaiting' | 'smsOldestSeconds', number>>
  >;
  /** See FindOldestDue. */
  findOldestDue(db: Db, channel: Channel): Promise<DueWork | undefined>;
}

interface NotificationDeps {
  readonly senders: Readonly<Record<Channel, Sender>>;
  readonly feed?: NotificationFeed;
  readonly health?: Health;
  readonly tracing?: Tracing;
}

const noCounts = (): Counts => ({ sent: 0, captured: 0, deferred: 0, failed: 0, unconfigured: 0 });

type Times = ReturnType<typeof timesOf>;

/** A lane is the mail or the SMS of one profile. */
type Lanes = LaneEngine<Lane, LeasedLane, (typeof POOLS)[Channel], NotificationWorker>;

function createLanes(
  ctx: Ctx,
  { senders, health = createHealth(), tracing = noTracing }: NotificationDeps,
  times: Times,
  onSent: (channel: Channel, sent: readonly Sent[]) => void,
): Lanes {
  const { db } = ctx;
  const turnstiles = {
    mail: concurrencyLimit(senders.mail.atOnce),
    sms: concurrencyLimit(senders.sms.atOnce),
  };
  const sends = health.loop('notifications.send', { occasional: true });
  const [claims, renewals] = [health.loop('notifications.claim'), health.loop('notifications.renew')];
  const onEnded = ({ channel }: LeasedLane, sent: readonly Sent[]) => {
    onSent(channel, sent);
    lanes.ended(sent.map(({ due }) => due.moveNr));
  };
  const lanes: Lanes = new LaneEngine(ctx, {
    name: 'notifications',
    pools: Object.values(POOLS),
    keyOf: laneKey,
    listDue: (on, { channel }, { free }) =>
      store.listDueLanes(on, { channel, dueBy: ctx.now(), limit: free }),
    claim: async (_ecpdId, due, leaseToken) =>
      (await Promise.all(due.map((lane) => store.claimLane(db, lane, leaseToken)))).flat(),
    renew: (ecpdId, held) => store.renewLanes(db, ecpdId, held),
    release: (_ecpdId, held) => Promise.all(held.map((lane) => store.releaseLane(db, lane))),
    work(lane, lease) {
      const [sender, of] = [senders[lane.channel], turnstiles[lane.channel]];
      return new NotificationWorker(lane, lease, { ctx, sender, turnstile: of, onEnded, sends, tracing });
    },
    isDue: times.isDue,
    askMs: 50,
    loops: { claims, renewals, others: [sends] },
  });
  return lanes;
}

export function createNotificationEngine(ctx: Ctx, deps: NotificationDeps): NotificationEngine {
  const counts = { mail: noCounts(), sms: noCounts() };
  const times = timesOf(ctx, store.WAITING, store.findNextDue);
  const lanes = createLanes(ctx, deps, times, (channel, sent) => {
    for (const { outcome } of sent) counts[channel][outcome.kind]++;
    const unconfigured = sent.map(({ outcome }) => outcome).find(({ kind }) => kind === 'unconfigured');
    if (unconfigured?.kind === 'unconfigured')
      ctx.log.warn({ channel, reason: unconfigured.reason }, 'notifications were recorded but not sent');
  });

  return {
    counts,
    async backlog() {
      const rows = new Map((await store.measureBacklog(ctx.db, ctx.now())).map((row) => [row.channel, row]));
      return {
        mailWaiting: rows.get('mail')?.waiting ?? 0,
        mailOldestSeconds: rows.get('mail')?.oldestSeconds ?? 0,
        smsWaiting: rows.get('sms')?.waiting ?? 0,
        smsOldestSeconds: rows.get('sms')?.oldestSeconds ?? 0,
      };
    },
    start() {
      deps.feed?.on(NOTIFICATION_CHANNEL, lanes.soon);
      lanes.start();
    },
    stop: (graceMs) => lanes.stop(graceMs),
    settle: lanes.settle,
    watch: lanes.watch,
    nextDueAt: times.nextDueAt,
    findOldestDue: (db, channel) => lanes.findOldest(db, POOLS[channel]),
    countUnfinished: times.countUnfinished,
  };
}
