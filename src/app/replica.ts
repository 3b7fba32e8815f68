import type { Settings } from '../platform/config/settings.ts';
import { type Database, type Db, openDatabase } from '../platform/db/db.ts';
import { openReplicaReads, REPLICA_STATEMENT_MS, type Went } from '../platform/db/replica.ts';
import type { Health } from '../platform/health/health.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';

/**
 * Tables that decide about access: identities, permissions, exclusions, subscriptions and pauses. An outdated
 * answer would be wrong.
 */
export const NEVER_FROM_REPLICA = [
  'action_pause',
  'client',
  'client_token',
  'consent',
  'consent_ledger',
  'console_session',
  'device_consent',
  'domain_clock',
  'excluded_device',
  'exclusion',
  'exclusion_list',
  'idempotent_answer',
  'login_failure',
  'managed_account',
  'node',
  'operator_key',
  'past_line',
  'service_limit',
  'session',
  'subscription',
  'user_account',
  'ws_user',
];

export interface Replica {
  readonly db: Db;
  measure(metrics: Metrics): void;
  close(): Promise<void>;
}

/** Undefined if none is set, or for a worker, which serves no requests. */
export async function openReplica(
  { databaseReplicaUrl, databaseConnections, replicaMaxLagMs, role }: Settings,
  primary: Database,
  onError: (error: unknown) => void,
  health: Health,
): Promise<Replica | undefined> {
  if (databaseReplicaUrl === undefined || role === 'worker') return undefined;
  const counts: Record<Went, number> = {
    replica: 0,
    'primary: too far behind': 0,
    'primary: not its replica': 0,
    'primary: replica failed': 0,
    'primary: must be new': 0,
  };
  const replica = openDatabase(databaseReplicaUrl, {
    connections: databaseConnections,
    applicationName: `linekeeper-${role}-replica`,
    statementTimeoutMs: REPLICA_STATEMENT_MS,
    onError,
  });
  const reads = await openReplicaReads({
    primary,
    replica,
    maxLagMs: replicaMaxLagMs,
    mustBeNew: NEVER_FROM_REPLICA,
    // Without the replica, the primary answers.
    loop: health.loop('replica', { vital: false }),
    count: (went) => {
      counts[went]++;
    },
  });
  return {
    db: reads.db,
    measure(metrics) {
      metrics.addTotals({
        name: 'linekeeper_replica_reads_total',
        help: 'Reads of routes that may read from the replica, by who answered and why',
        label: 'answered_by',
        read: () => counts,
      });
      metrics.addGauge({
        name: 'linekeeper_replica_behind_seconds',
        help: 'How old an answer of the replica may be; infinite while nothing proves it',
        label: 'replica',
        read: () => ({ replica: reads.behindMs() / 1_000 }),
      });
    },
    async close() {
      reads.stop();
      await replica.close();
    },
  };
}
