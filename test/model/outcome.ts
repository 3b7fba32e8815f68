import type { Step } from './case.ts';

/** An event as seen from outside. Accounts, lines and triggers have the names of the case. */
export type Row = Readonly<Record<string, unknown>>;

/** Everything that is compared. Lists are bags, because their order is not promised. */
export interface Outcome {
  /** The answers to the feeds, in the order of the steps. */
  feeds: Row[];
  firings: Row[];
  /** AlertService. */
  alerts: Row[];
  /** Levels that a subject passed at once, as their alerts arrived. */
  order: Row[];
  mail: Row[];
  sms: Row[];
  /** SubscriptionNotificationService. */
  throttled: Row[];
  /** CarrierService and ResumeTrackingNotification: suspensions, restores and plan changes. */
  carrier: Row[];
  /** Which approvals and rejections were accepted. */
  decisions: Row[];
  lines: Row[];
  /** Usage lists: a day of a line on a plan, and the pieces of dates that a change of zone has cut. */
  usage: Row[];
  bills: Row[];
}

export const nothing = (): Outcome => ({
  feeds: [],
  firings: [],
  alerts: [],
  order: [],
  mail: [],
  sms: [],
  throttled: [],
  carrier: [],
  decisions: [],
  lines: [],
  usage: [],
  bills: [],
});

interface Passed {
  readonly at: string;
  readonly level: number;
}

/** The levels of each group in the given order, as text: lists are compared as bags. Of concurrent feeds there is none. */
export const orderRows = (steps: readonly Step[], passed: readonly (Row & Passed)[]): Row[] =>
  [...Map.groupBy(passed, ({ level: _, ...group }) => JSON.stringify(Object.entries(group).sort())).values()]
    .filter(([one]) => !steps.some((step) => step.do === 'feeds' && iso(step.at) === one!.at))
    .map((group) => ({ ...group[0], level: group.map(({ level }) => level).join(' ') }));

/** Names of objects in a case. */
export const nameOf = {
  account: (n: number) => `account ${n}`,
  line: (n: number) => `line ${n}`,
};
export const iso = (ms: number) => new Date(ms).toISOString();

/** The reasons for actions that are not done. */
export type Undone = 'late' | 'paused' | 'no line' | 'left' | 'moved' | 'no days left' | 'four changes';
