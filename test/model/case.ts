import type { CycleKind } from './reference/calendar.ts';

export interface Account {
  readonly timeZone: string;
  readonly billDay: number;
  readonly byApn: boolean;
  /** Callback services with a registered listener. */
  readonly listens: readonly string[];
}

export interface Line {
  readonly account: number;
  readonly plan: string;
  readonly planSince: number;
}

/** `line` counts from 0; -1 is an unknown device. */
export interface Usage {
  readonly id: string;
  readonly line: number;
  readonly at: number;
  readonly bytes: number;
  readonly apn?: string;
  readonly ratingGroup?: string;
  readonly country?: string;
  readonly charge?: string;
  readonly fota?: true;
}

/** How far ahead of the clock a record may be dated. Such a record counts as of now. */
export const AHEAD_MS = 5 * 60_000;

export type Comparator = 'gt' | 'lt' | 'eq';
export type Unit = 'KB' | 'MB';
export const UNIT_BYTES: Readonly<Record<Unit, number>> = { KB: 1_024, MB: 1_048_576 };

export interface Threshold {
  readonly value: number;
  readonly unit: Unit;
}
export const bytesOf = ({ value, unit }: Threshold): number => value * UNIT_BYTES[unit];

export interface Suspension {
  readonly duration: '30' | '60' | '90' | 'NextBillCycle';
  readonly withBilling: boolean;
}

export type LineAction =
  | { readonly type: 'notify' }
  | ({ readonly type: 'suspend'; readonly from: readonly number[] } & Suspension)
  | { readonly type: 'move'; readonly to: string };

interface OnPlan {
  /** The carrier's code. */
  readonly plan: string;
  readonly accounts: readonly number[];
}

/** The new plan begins with the bill cycle and takes over the usage since then. */
interface MayBackDate {
  readonly backDate?: true;
}

export interface PoolMoves extends MayBackDate {
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  readonly buffer: number;
}

/** The content of a trigger, with plans by the carrier's codes. */
export type Rule =
  | ({
      readonly kind: 'line';
      readonly cmp: Comparator;
      readonly than: Threshold;
      readonly cycle: CycleKind;
      readonly action: LineAction;
    } & OnPlan)
  | ({
      readonly kind: 'account';
      readonly combined: boolean;
      readonly cmp: Comparator;
      readonly than: Threshold;
      readonly cycle: CycleKind;
      readonly suspend?: { readonly than: Threshold; readonly from: readonly number[] } & Suspension;
    } & OnPlan)
  | ({
      readonly kind: 'allowance';
      readonly percents: readonly number[];
      readonly suspend?: { readonly from: readonly number[] } & Suspension;
    } & OnPlan)
  | ({ readonly kind: 'aging'; readonly cycles: number; readonly action: LineAction } & OnPlan)
  | {
      readonly kind: 'shareNotify';
      readonly of: readonly { readonly plan: string; readonly percents: readonly number[] }[];
    }
  | ({
      readonly kind: 'shareSuspend';
      readonly of: readonly { readonly plan: string; readonly percent: number }[];
    } & Suspension)
  | ({
      readonly kind: 'shareMove';
      readonly of: readonly { readonly from: string; readonly to: string; readonly percent: number }[];
    } & MayBackDate)
  | { readonly kind: 'poolNotify'; readonly percents: readonly number[] }
  | { readonly kind: 'poolMove'; readonly above?: PoolMoves; readonly below?: PoolMoves };

/** What a trigger sends besides alerts. */
export interface Sends {
  readonly mail?: true;
  readonly sms?: true;
  /** Mail and SMS also go to a notification group. */
  readonly group?: true;
  /** A summary at the end of the day, instead of messages at once. */
  readonly daily?: true;
  readonly reminders?: { readonly count: number; readonly every: 'Hourly' | 'Daily' | 'Weekly' };
}

export type Step = { readonly at: number } & (
  | { readonly do: 'feed'; readonly records: readonly Usage[] }
  /** Sent concurrently: either may be processed first. */
  | { readonly do: 'feeds'; readonly feeds: readonly (readonly Usage[])[] }
  | {
      readonly do: 'create';
      readonly name: string;
      readonly rule: Rule;
      readonly callback: boolean;
      readonly sends?: Sends;
    }
  | { readonly do: 'edit'; readonly name: string; readonly rule: Rule }
  | { readonly do: 'switch'; readonly name: string; readonly active: boolean }
  | { readonly do: 'delete'; readonly name: string }
  | { readonly do: 'plan'; readonly line: number; readonly plan: string }
  | { readonly do: 'suspend' | 'restore' | 'deactivate'; readonly line: number }
  /** If the line is deactive in another account, it moves to this one. */
  | { readonly do: 'activate'; readonly line: number; readonly account: number; readonly plan: string }
  /** By the operator, in any state. */
  | { readonly do: 'move'; readonly line: number; readonly account: number }
  | { readonly do: 'remove'; readonly line: number; readonly by: 'owner' | 'operator' }
  /** Of the earliest firing of the trigger that waits for it. */
  | { readonly do: 'decide'; readonly name: string; readonly approves: boolean }
  | { readonly do: 'pause' | 'resume' }
  /** The operator changes an account. */
  | { readonly do: 'settings'; readonly account: number; readonly timeZone: string; readonly billDay: number }
  /** The operator changes the order of the accounts that share an allowance. */
  | { readonly do: 'reorder'; readonly accounts: readonly number[] }
  | { readonly do: 'wait' }
);

/** A fleet and its events as plain data: the seed that drew it is only its name. */
export interface Case {
  readonly name: string;
  readonly start: number;
  readonly accounts: readonly Account[];
  /** The accounts that share an allowance, and their plans. */
  readonly group: { readonly accounts: readonly number[]; readonly plans: readonly string[] };
  readonly lines: readonly Line[];
  /** In time order. */
  readonly steps: readonly Step[];
}

/** What a firing may do to more lines than this waits for approval. */
export const UNAPPROVED_MAX = 2;

/** Each of the last months has a separate bill; lines are billed over all of them together. */
export const BILLED_APART = 4;

const DAYS_32_MS = 32 * 86_400_000;

/** The calendar months that name every billing month in which something of the case can fall. */
export function billedMonths({ start, steps }: Case): readonly string[] {
  const records = steps.flatMap((step) =>
    step.do === 'feed' ? step.records : step.do === 'feeds' ? step.feeds.flat() : [],
  );
  const first = Math.min(start, ...records.map(({ at }) => at)) - DAYS_32_MS;
  const last = Math.max(start, ...steps.map(({ at }) => at)) + DAYS_32_MS / 32;
  const months: string[] = [];
  const month = new Date(first);
  for (month.setUTCDate(1); month.getTime() <= last; month.setUTCMonth(month.getUTCMonth() + 1))
    months.push(month.toISOString().slice(0, 7));
  return months;
}
