import type { Ctx, Principal } from '../../platform/context/context.ts';
import type { Firing } from '../firings/index.ts';
import type { Rule, TriggerNotification } from './rule.ts';

export interface PricePlanTrigger {
  readonly ecpdId: string;
  readonly triggerId: string;
  readonly triggerName: string;
  readonly active: boolean;
  /** Grows with every change. */
  readonly version: number;
  readonly body: TriggerContent;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** As they were sent, with defaults filled in when they were written; `parsing` knows what they mean. */
export interface TriggerContent {
  readonly pricePlanTrigger?: object;
  readonly notification?: object;
}

/** What is stored and what it means. */
export interface ParsedTrigger extends PricePlanTrigger {
  readonly rule: Rule;
  readonly notifies: TriggerNotification;
}

/** A firing with its trigger as it was then. */
export interface PricePlanFiring extends Firing {
  readonly trigger: ParsedTrigger;
  /** Of a line that a record has brought there: the plan on which it was counted, which it may have left since. */
  readonly planCode?: string | undefined;
}

/**
 * What usage is compared with is derived from triggers in the transaction that writes them, by whoever evaluates them. Batches of
 * usage hold accounts and then look at triggers; whoever writes triggers goes the same way.
 */
export interface KeepLevels {
  /** The accounts that these triggers are compared with now, and those that are named; before the triggers are locked. */
  readonly holdAccounts: (
    ctx: Ctx,
    ecpdId: string,
    triggerIds: readonly string[],
    accountNames: readonly string[],
  ) => Promise<void>;
  /** After triggers were written. */
  readonly refresh: (ctx: Ctx, ecpdId: string, triggerIds: readonly string[]) => Promise<void>;
}

export const TRIGGERS_PER_PROFILE_MAX = 10_000;

/** Whose eyes look at triggers: the profiles and accounts of a session. Account names are unique over all profiles. */
export interface Viewer {
  readonly profiles: readonly string[];
  readonly accountNames: readonly string[];
}

export const viewerOf = ({ accounts }: Principal): Viewer => ({
  profiles: [...new Set(accounts.values())],
  accountNames: [...accounts.keys()],
});
