import { sql } from '../../../platform/db/sql.ts';
import type { SendOutcome } from '../send-callback.ts';
import type { DueMessage, LeasedLane } from './lane.ts';
import { isAcknowledged } from './policy.ts';
import type { SignedCallback } from './prepare-listener.ts';

/** One attempt that has ended, with its consequences. */
export interface EndedAttempt {
  readonly lane: LeasedLane;
  readonly message: DueMessage;
  readonly startedAt: Date;
  readonly outcome: SendOutcome;
  /** Undefined if nothing was sent. */
  readonly signed?: Pick<SignedCallback, 'signedAt' | 'mark'> | undefined;
  /** Undefined if the series has ended. */
  readonly nextDueAt: Date | undefined;
}

/** Whether the series has ended without success. */
export const hasFailed = ({ nextDueAt, outcome }: EndedAttempt) =>
  nextDueAt === undefined && !isAcknowledged(outcome);

/** Replaces an array without any text by an empty one: `unnest` pads it with nulls next to longer arrays. */
export const textArray = (values: readonly (string | null)[]): readonly (string | null)[] =>
  values.every((value) => value === null || value === '') ? [] : values;

/** Summarises these attempts for the listener of one lane. */
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

/** The lanes of these attempts, each with its summary. */
export const heldRows = (byLane: ByLane) => {
  const held = [...byLane].map(([lane, ended]) => ({ ...lane, ...tallyOf(ended) }));
  return sql`unnest(${held.map((h) => h.accountName)}::text[], ${held.map((h) => h.serviceName)}::text[],
        ${held.map((h) => h.leaseToken)}::uuid[], ${held.map((h) => h.acknowledged)}::boolean[],
        ${held.map((h) => h.failedFirstAt)}::timestamptz[], ${held.map((h) => h.failedLastAt)}::timestamptz[],
        ${held.map((h) => h.failure)}::text[])
        with ordinality as held (account_name, service_name, token, acknowledged, failed_first_at, failed_last_at, failure, lane)`;
};
