import type { DeviceIdColumns } from '../../../kernel/device-id.ts';
import type { NotificationGroup } from '../../notifications/index.ts';
import type { Outcome } from '../acting/outcome.ts';

export type LineIds = Pick<DeviceIdColumns, 'imei' | 'msisdn' | 'mdn'>;

/** As the carrier and people call it. */
export interface PlanWords {
  readonly carrierCode: string;
  readonly name: string;
}

/** What firings name and do not hold, looked up once for all of them. */
export interface Facts {
  /** By account and device; of lines that have left as long as usage of their time is kept. */
  readonly lines: ReadonlyMap<string, LineIds>;
  readonly zones: ReadonlyMap<string, string>;
  /** By the carrier's code. */
  readonly planNames: ReadonlyMap<string, string>;
  /** Of the plans that lines of a pool are moved from and to, by their codes. */
  readonly movedPlans: ReadonlyMap<string, PlanWords>;
  /** By firing, of those that do something to more than a line of their own. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly groupAccounts: ReadonlyMap<number, readonly string[]>;
  /** Accounts with a listener for alerts. */
  readonly listening: ReadonlySet<string>;
  readonly notificationGroups: ReadonlyMap<string, NotificationGroup>;
  /** Triggers alert, and nothing else is done. */
  readonly paused: boolean;
}

/** A line of an account: it may have left it since it was counted there. */
export interface LineOf {
  readonly accountName: string;
  readonly subject: string;
}
export const lineKey = ({ accountName, subject }: LineOf): string => `${accountName} ${subject}`;

/** The first that it has: people know their lines by these. */
export function lineName({ lines }: Pick<Facts, 'lines'>, line: LineOf): string {
  const ids = lines.get(lineKey(line));
  return ids?.imei ?? ids?.mdn ?? ids?.msisdn ?? line.subject;
}
