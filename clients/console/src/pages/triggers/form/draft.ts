export const PERCENTAGES = [50, 75, 90, 100] as const;
export type Percentages = Readonly<Record<(typeof PERCENTAGES)[number], boolean>>;
export const NO_PERCENTAGES: Percentages = { 50: false, 75: false, 90: false, 100: false };

/** The fields of one plan of a group share. */
export interface PlanRow {
  readonly from: string;
  readonly to: string;
  readonly percent: string;
  readonly percentages: Percentages;
}
export const NEW_ROW: PlanRow = { from: '', to: '', percent: '100', percentages: NO_PERCENTAGES };

/** Plan changes of a pool in one direction. */
export interface Moves {
  readonly wanted: boolean;
  readonly rows: readonly PlanRow[];
  readonly buffer: string;
  readonly date: string;
}

/** All form fields, mostly as text; hidden fields keep their values. */
export interface Draft {
  readonly triggerName: string;
  readonly active: boolean;
  readonly kind: 'payAsYouGo' | 'shareLines' | 'sharePool';
  readonly action: 'notify' | 'suspend' | 'changePlan';
  readonly suspendDuration: string;
  readonly suspendOption: string;

  readonly plan: string;
  readonly accounts: readonly string[];
  readonly conditionType: string;
  readonly comparator: string;
  readonly threshold: string;
  readonly thresholdUnit: string;
  readonly cycleType: string;
  readonly separateOrCombined: string;
  readonly percentages: Percentages;
  readonly billCycles: string;
  readonly suspendFrom: readonly string[];
  readonly suspendThreshold: string;
  readonly suspendUnit: string;
  readonly toPlan: string;

  readonly groupId: string;
  readonly rows: readonly PlanRow[];
  readonly triggerDate: string;
  readonly above: Moves;
  readonly below: Moves;

  readonly notificationType: string;
  readonly callback: boolean;
  readonly severity: string;
  readonly email: boolean;
  readonly groupName: string;
  readonly recipients: string;
  readonly sms: boolean;
  readonly smsNumbers: string;
  readonly reminder: boolean;
  readonly reminders: string;
  readonly interval: string;
}

export const NO_MOVES: Moves = { wanted: false, rows: [NEW_ROW], buffer: '10', date: 'CurrentDate' };

export const newDraft = (accountName: string): Draft => ({
  triggerName: '',
  active: true,
  kind: 'payAsYouGo',
  action: 'notify',
  suspendDuration: 'NextBillCycle',
  suspendOption: 'WithoutBilling',
  plan: '',
  accounts: [accountName],
  conditionType: 'Individual',
  comparator: 'gt',
  threshold: '',
  thresholdUnit: 'MB',
  cycleType: 'Monthly',
  separateOrCombined: 'Separate',
  percentages: { ...NO_PERCENTAGES, 90: true, 100: true },
  billCycles: '1',
  suspendFrom: [],
  suspendThreshold: '',
  suspendUnit: 'MB',
  toPlan: '',
  groupId: '',
  rows: [NEW_ROW],
  triggerDate: 'CurrentDate',
  above: { ...NO_MOVES, wanted: true },
  below: NO_MOVES,
  notificationType: 'PerEvent',
  callback: true,
  severity: 'Notice',
  email: false,
  groupName: '',
  recipients: '',
  sms: false,
  smsNumbers: '',
  reminder: false,
  reminders: '1',
  interval: 'Daily',
});
