import type { MeteredService } from '../usage/index.ts';

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

/** How much use reaches the percentage; a part of a use is reached by the whole one. */
export const thresholdOf = (thresholdPercent: number, allowed: number): number =>
  (allowed * thresholdPercent) / 100;
