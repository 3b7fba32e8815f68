import type { Cycle } from '../../kernel/bill-cycle.ts';

/** A trigger's rule as the evaluation uses it. `parsing` derives it from the stored content, which is what was sent. */
export type Rule = PayAsYouGo | GroupShareIndividual | GroupSharePool;

export const COMPARATORS = ['gt', 'lt', 'eq'] as const;
type Comparator = (typeof COMPARATORS)[number];

export const DATA_UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
export type DataUnit = (typeof DATA_UNITS)[number];

export const PERCENTAGES = [50, 75, 90, 100] as const;
export type Percentage = (typeof PERCENTAGES)[number];

/** As the caller wrote it, and in bytes: 1 KB is 1,024 bytes. */
export interface Threshold {
  readonly value: number;
  readonly unit: DataUnit;
  readonly bytes: number;
}

export type SuspendDuration = 30 | 60 | 90 | 'NextBillCycle';

export interface Suspension {
  readonly duration: SuspendDuration;
  readonly withBilling: boolean;
}

export interface PayAsYouGo {
  readonly kind: 'payAsYouGo';
  readonly carrierServicePlanCode: string;
  readonly accountNames: readonly string[];
  readonly condition:
    | {
        readonly type: 'Individual';
        readonly comparator: Comparator;
        readonly threshold: Threshold;
        readonly cycle: Cycle;
      }
    | {
        readonly type: 'AccountLevel';
        readonly comparator: Comparator;
        readonly threshold: Threshold;
        readonly cycle: Cycle;
        readonly combined: boolean;
      }
    | { readonly type: 'UsageAllowance'; readonly percentages: readonly Percentage[] }
    | { readonly type: 'Aging'; readonly billCycles: number };
  readonly action:
    | { readonly type: 'notify' }
    | {
        readonly type: 'suspend';
        /** Suspends lines of these accounts only; AccountLevel suspends all their lines on the plan. */
        readonly fromAccounts: readonly string[];
        readonly suspension: Suspension;
        /** AccountLevel only: a separate level for suspending. */
        readonly threshold: Threshold | undefined;
      }
    | { readonly type: 'changePlan'; readonly toCarrierServicePlanCode: string };
}

export interface GroupShareIndividual {
  readonly kind: 'groupShareIndividual';
  readonly ratePlanGroupId: number;
  readonly action:
    | {
        readonly type: 'notify';
        readonly thresholds: readonly {
          readonly carrierCode: string;
          readonly percentages: readonly Percentage[];
        }[];
      }
    | {
        readonly type: 'suspend';
        readonly suspension: Suspension;
        readonly thresholds: readonly { readonly carrierCode: string; readonly usagePercentage: number }[];
      }
    | {
        readonly type: 'changePlan';
        readonly sharePlans: readonly {
          readonly fromCarrierCode: string;
          readonly toCarrierCode: string;
          readonly criteriaPercentage: number;
        }[];
        readonly effective: 'CurrentDate' | 'BackDate';
      };
}

/** Moves in one direction: above the pool's allowance to larger plans, below it to smaller ones. */
export interface PoolMoves {
  readonly plans: readonly { readonly fromCarrierCode: string; readonly toCarrierCode: string }[];
  /** The required free part of the pool, in percent of the used bytes. */
  readonly overageBuffer: number;
  readonly effective: 'CurrentDate' | 'BackDate';
}

export interface GroupSharePool {
  readonly kind: 'groupSharePool';
  readonly ratePlanGroupId: number;
  readonly action:
    | { readonly type: 'notify'; readonly percentages: readonly Percentage[] }
    | {
        readonly type: 'changePlan';
        readonly automation: string;
        readonly above: PoolMoves | undefined;
        readonly below: PoolMoves | undefined;
      };
}

export const SEVERITIES = ['Notice', 'Minor', 'Major', 'Critical'] as const;

export interface TriggerNotification {
  readonly type: 'PerEvent' | 'DailySummary';
  readonly callback: boolean;
  readonly email: boolean;
  readonly groupName: string | undefined;
  /** The number of reminders, and their interval. */
  readonly reminders:
    | { readonly count: number; readonly interval: 'Hourly' | 'Daily' | 'Weekly' }
    | undefined;
  readonly emailRecipients: readonly string[];
  readonly sms: boolean;
  readonly smsNumbers: readonly { readonly number: string; readonly carrier: string }[];
  readonly severity: (typeof SEVERITIES)[number];
}
