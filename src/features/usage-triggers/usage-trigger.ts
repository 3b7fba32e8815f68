import type { Firing } from '../firings/index.ts';
import type { MeteredService, ServiceChange } from '../usage/index.ts';

export interface UsageTrigger {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly triggerName: string;
  readonly accountName: string;
  readonly serviceName: MeteredService;
  readonly thresholdPercent: number;
  readonly allowExcess: boolean;
  readonly sendSms: boolean;
  readonly smsPhoneNumbers: readonly string[];
  readonly sendEmail: boolean;
  readonly emailAddresses: readonly string[];
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const THRESHOLD_MAX_PERCENT = 1_000;
/** The interface lists all triggers of an account in one answer. */
export const TRIGGERS_PER_ACCOUNT_MAX = 1_000;

/** A firing, with the values that its notification needs. */
export interface UsageFiring extends Firing {
  readonly trigger: UsageTrigger;
  readonly change: ServiceChange;
  readonly allowed: number;
  /** Whether the service closes when all of it is used. */
  readonly closes: boolean;
}

/** The use with which a counter reached a level. */
interface Crossing {
  readonly before: number;
  readonly after: number;
  readonly threshold: number;
  /** The request or record of this use. */
  readonly ref: string;
}

/**
 * The use that reached the percentage, if one of these or an earlier one did. A counter that was already beyond an
 * edited threshold reaches it with the next use.
 */
export function findCrossing(
  { before, after, refs }: Pick<ServiceChange, 'before' | 'after' | 'refs'>,
  thresholdPercent: number,
  allowed: number,
): Crossing | undefined {
  // A fractional threshold is reached by the next whole use.
  const threshold = (allowed * thresholdPercent) / 100;
  if (allowed <= 0 || after < threshold) return undefined;
  const nth = Math.max(Math.ceil(threshold) - before, 1);
  return { before: before + nth - 1, after: before + nth, threshold, ref: refs[nth - 1]! };
}
