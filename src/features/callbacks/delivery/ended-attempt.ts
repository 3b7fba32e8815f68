import { sql } from '../../../platform/db/sql.ts';
import type { SendOutcome } from '../send-callback.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import { isAcknowledged } from './policy.ts';
import type { SignedCallback } from './prepare-listener.ts';

/** One attempt that has ended, with what follows from it. */
export interface EndedAttempt {
  readonly lane: LeasedLane;
  readonly message: DueMessage;
  readonly startedAt: Date;
  readonly outcome: SendOutcome;
  /** Undefined where nothing was sent. */
  readonly signed?: Pick<SignedCallback, 'signedAt' | 'mark'> | undefined;
  /** Undefined when the series has come to its end. */
  readonly nextDueAt: Date | undefined;
}

/** The series has come to its end without success. */
export const hasFailed = ({ nextDueAt, outcome }: EndedAttempt) =>
  nextDueAt === undefined && !isAcknowledged(outcome);

/** Where no text has anything to say, an empty array says the same: `unnest` fills it up with nulls beside longer ones. */
export const textArray = (values: readonly (string | null)[]): readonly (string | null)[] =>
  values.every((value) => value === null || value === '') ? [] : values;

/** How the listener of one lane did in these attempts. */
function tallyOf(ended: readonly EndedAttempt[]) {
  const failed = ended.filter(({ outcome }) => !isAcknowledged(outcome));
  const last = failed.reduce((a, b) => (b.startedAt >= a.startedAt ? b : a), failed[0]!);
  const first = failed.reduce((a, b) => (b.startedAt < a.startedAt ? b : a), failed[0]!);
  return {
    acknowledged: failed.length < ended.length,
    failedFirstAt: first?.startedAt ?? null,
    failedLastAt: last?.startedAt ?? null,
    failure: last === undefined ? null : (last.outcome.error ?? `answered ${last.outcome.status}`),
  };
}

export type ByLane = ReadonlyMap<LeasedLane, readonly EndedAttempt[]>;

/** The lanes that attempts were made on, with how their listeners did. */
export const heldRows = (byLane: ByLane) => {
  const held = [...byLane].map(([lane, ended]) => ({ ...lane, ...tallyOf(ended) }));
  return sql`unnest(${held.map((h) => h.accountName)}::text[], ${held.map((h) => h.serviceName)}::text[],
        ${held.map((h) => h.leaseToken)}::uuid[], ${held.map((h) => h.acknowledged)}::boolean[],
        ${held.map((h) => h.failedFirstAt)}::timestamptz[], ${held.map((h) => h.failedLastAt)}::timestamptz[],
        ${held.map((h) => h.failure)}::text[])
        with ordinality as held (account_name, service_name, token, acknowledged, failed_first_at, failed_last_at, failure, lane)`;
};
