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

/** As sent, with defaults filled in when it was written; `parsing` interprets it. */
export interface TriggerContent {
  readonly pricePlanTrigger?: object;
  readonly notification?: object;
}

/** A stored trigger with its parsed content. */
export interface ParsedTrigger extends PricePlanTrigger {
  readonly rule: Rule;
  readonly notifies: TriggerNotification;
}

/** A firing with its trigger at that time. */
export interface PricePlanFiring extends Firing {
  readonly trigger: ParsedTrigger;
  /** For a line whose level a record reached: the plan on which it was counted, which the line may have left since. */
  readonly planCode?: string | undefined;
}

/**
 * The evaluation derives its levels from triggers in the transaction that writes them. Batches of usage hold accounts
 * before they read triggers; writers of triggers lock in the same order.
 */
export interface KeepLevels {
  /** Locks the accounts that these triggers compare now and the named ones, before the triggers are locked. */
  readonly holdAccounts: (
    ctx: Ctx,
    ecpdId: string,
    triggerIds: readonly string[],
    accountNames: readonly string[],
  ) => Promise<void>;
  /** Called after triggers were written or deleted. Also drops the actions that they no longer ask for. */
  readonly refresh: (ctx: Ctx, ecpdId: string, triggerIds: readonly string[]) => Promise<void>;
}

export const TRIGGERS_PER_PROFILE_MAX = 10_000;

/** What a session may see: its profiles and accounts. Account names are unique across profiles. */
export interface Viewer {
  readonly profiles: readonly string[];
  readonly accountNames: readonly string[];
}

export const viewerOf = ({ accounts }: Principal): Viewer => ({
  profiles: [...new Set(accounts.values())],
  accountNames: [...accounts.keys()],
});
