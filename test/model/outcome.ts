/** What one thing that happened looks like from outside; names of accounts, lines and triggers are those of the case. */
export type Row = Readonly<Record<string, unknown>>;

/** Everything that is compared. Lists are bags: their order is promised nowhere. */
export interface Outcome {
  /** What each feed was answered, in the order of the steps. */
  feeds: Row[];
  firings: Row[];
  /** AlertService. */
  alerts: Row[];
  /** SubscriptionNotificationService. */
  throttled: Row[];
  /** CarrierService and ResumeTrackingNotification: suspensions, restores and plan changes. */
  carrier: Row[];
  lines: Row[];
  /** Usage lists: a day of a line on a plan. */
  usage: Row[];
  bills: Row[];
}

export const nothing = (): Outcome => ({
  feeds: [],
  firings: [],
  alerts: [],
  throttled: [],
  carrier: [],
  lines: [],
  usage: [],
  bills: [],
});

/** How things are called in a case. */
export const nameOf = {
  account: (n: number) => `account ${n}`,
  line: (n: number) => `line ${n}`,
};
export const iso = (ms: number) => new Date(ms).toISOString();

/** The reasons that are given for what is not done. */
export type Undone = 'late' | 'paused' | 'no line' | 'left' | 'moved' | 'no days left' | 'four changes';
