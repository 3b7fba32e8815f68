import type { Account, Case, Rule, Sends, Usage } from '../case.ts';
import { planOf, plansCalled } from '../catalogue.ts';
import { nothing, type Outcome } from '../outcome.ts';
import type { Waiting } from './approvals.ts';
import type { Day } from './calendar.ts';
import { type Boundaries, boundariesOf, type Cycle, type Leaders } from './cycles.ts';
import type { Firing } from './fire.ts';
import type { Repeated, Summed } from './people.ts';

/** An accepted record. */
export interface Entry extends Usage {
  readonly account: number;
  /** The date in the account's time zone. */
  readonly day: Day;
  /** Empty if the line had no known plan. Plan changes that begin before they are made assign another plan. */
  plan: string;
  /** Its billing month had closed when it arrived. */
  readonly delayed: boolean;
}

export interface AccountState extends Account {
  /** The current settings. */
  timeZone: string;
  billDay: number;
  /** The rules that its cycles have followed. */
  readonly boundaries: Boundaries;
}

export interface Suspended {
  readonly from: number;
  readonly resumesAt: number;
  announced: boolean;
  /** Undefined while it lasts. */
  until: number | undefined;
}

export interface LineState {
  readonly n: number;
  /** The current or last account. */
  account: number;
  state: 'active' | 'suspend' | 'deactive' | 'gone';
  /** Every account that has owned the line; the last one owned it until `goneAt`. */
  readonly stays: { readonly account: number; readonly since: number }[];
  goneAt: number | undefined;
  /** Every plan of the line; the last is the current one. */
  readonly plans: {
    readonly plan: string;
    readonly since: number;
    /** Undefined if the plan was not set by a change. */
    readonly changedAt: number | undefined;
  }[];
  readonly suspensions: Suspended[];
}

export interface Trigger {
  readonly name: string;
  readonly createdAt: number;
  readonly callback: boolean;
  readonly sends: Sends;
  rule: Rule;
  active: boolean;
  version: number;
  /** Of accounts that it counts together. */
  readonly leaders: Leaders;
}

export interface State {
  readonly case: Case;
  now: number;
  paused: boolean;
  readonly accounts: readonly AccountState[];
  /** The accounts that share an allowance, in the current order, and their plans. */
  group: Case['group'];
  readonly lines: readonly LineState[];
  readonly ledger: Entry[];
  triggers: Trigger[];
  /** Actions that wait for approval. */
  readonly waiting: Waiting[];
  /** Alerts that were heard when their triggers fired. */
  readonly told: { readonly account: number; readonly firing: Firing }[];
  /** Reminders to come, and summaries. */
  repeated: readonly Repeated[];
  summed: readonly Summed[];
  /** The cycles in which a level of a trigger has fired for a subject, with their accounts. */
  readonly fired: Map<string, readonly Pick<Cycle, 'account' | 'opens' | 'closes'>[]>;
  /** Firings by age: trigger, number of cycles, line and the start of its time on the plan. */
  readonly aged: Set<string>;
  /** Notifications about throttling: subject, month and plan. */
  readonly throttled: Set<string>;
  /** When two events were due at one moment in an undefined order: the model predicts nothing from then on. */
  undecidedAt: number | undefined;
  readonly outcome: Outcome;
}

export const beginOf = (drawn: Case): State => ({
  case: drawn,
  now: drawn.start,
  paused: false,
  accounts: drawn.accounts.map((account) => ({ ...account, boundaries: boundariesOf(account) })),
  group: drawn.group,
  lines: drawn.lines.map(({ account, plan, planSince }, n) => ({
    n,
    account,
    state: 'active',
    stays: [{ account, since: Number.NEGATIVE_INFINITY }],
    goneAt: undefined,
    plans: [{ plan, since: planSince, changedAt: undefined }],
    suspensions: [],
  })),
  ledger: [],
  triggers: [],
  waiting: [],
  told: [],
  repeated: [],
  summed: [],
  fired: new Map(),
  aged: new Set(),
  throttled: new Set(),
  undecidedAt: undefined,
  outcome: nothing(),
});

export const accountOf = (state: State, n: number): AccountState => state.accounts[n]!;
export const present = (line: LineState) => line.plans.at(-1)!;
/** When it joined its current account. */
export const cameAt = (line: LineState): number => line.stays.at(-1)!.since;
/** The owner; undefined after deletion. */
export const ownerAt = ({ stays, goneAt }: LineState, at: number): number | undefined =>
  goneAt !== undefined && at >= goneAt ? undefined : stays.findLast(({ since }) => since <= at)!.account;
export const planAt = (line: LineState, at: number): string =>
  line.plans.findLast(({ since }) => since <= at)?.plan ?? '';
export const isActiveOn = (line: LineState, plans: readonly string[]) =>
  line.state === 'active' && plans.includes(present(line).plan);

export const isData = ({ fota }: Usage) => fota === undefined;

/** Bytes of data in the cycle, in entries that fit. */
export const sumOf = (state: State, cycle: Cycle, fits: (entry: Entry) => boolean): number =>
  state.ledger
    .filter((entry) => isData(entry) && fits(entry) && cycle.has(entry))
    .reduce((sum, { bytes }) => sum + bytes, 0);

/** The combined allowance of the lines that are active now. */
export const poolOf = (state: State, accounts: readonly number[], plans: readonly string[]): number =>
  state.lines
    .filter((line) => accounts.includes(line.account) && isActiveOn(line, plans))
    .reduce((sum, line) => sum + (planOf(present(line).plan)?.allowance ?? 0), 0);

/** The first of the accounts that a rule names. */
export const leaderOf = ({ group }: State, rule: Rule) =>
  ('accounts' in rule ? rule.accounts : group.accounts)[0]!;

/** The plans that a rule on accounts covers. */
export const plansOf = (rule: Rule): readonly string[] => ('plan' in rule ? plansCalled(rule.plan) : []);
