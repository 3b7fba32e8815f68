import type { Principal } from '../../platform/context/context.ts';

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

/** As they were sent, with defaults filled in when they were written; `reading` knows what they mean. */
export interface TriggerContent {
  readonly pricePlanTrigger?: object;
  readonly notification?: object;
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
