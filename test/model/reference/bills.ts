import { BILLED_APART, billedMonths } from '../case.ts';
import { planOf } from '../catalogue.ts';
import { iso, nameOf, type Row } from '../outcome.ts';
import { CYCLE_KINDS, dayAt, ruleAt } from './calendar.ts';
import { cycleAt } from './cycles.ts';
import { accountOf, type Entry, isData, type State } from './state.ts';

/** Money as an integer in the smallest unit that occurs: rates for a byte have up to 20 decimal places. */
const SCALE = 30;
const scaled = (text: string): bigint => {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
};
const MB = 1_048_576n;

/** The cost of a record: its own charge or that of its plan; undefined if neither has one. */
function costOf({ charge, plan, bytes }: Entry): bigint | undefined {
  if (charge !== undefined) return scaled(charge);
  const rate = planOf(plan)?.ratePerMb;
  return rate === undefined ? undefined : (scaled(rate) * BigInt(bytes)) / MB;
}

/** Half up, to cents. */
const cents = (amount: bigint) => Number(((amount * 1_000n) / 10n ** BigInt(SCALE) + 5n) / 10n) / 100;

const sums = (entries: readonly Entry[]) => ({
  amount: cents(entries.reduce((sum, entry) => sum + (costOf(entry) ?? 0n), 0n)),
  billed: entries.reduce((sum, entry) => sum + (costOf(entry) === undefined ? 0 : entry.bytes), 0),
  total: entries.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** A bill as flat rows: the total, each APN or rating group, each of its countries, and the late part of each. */
function billRows(who: Row, entries: readonly Entry[], byApn: boolean): Row[] {
  const groups = Map.groupBy(entries, ({ apn = '', ratingGroup = '' }) => (byApn ? apn : ratingGroup));
  const byCountry = (what: string, name: string, some: readonly Entry[]) =>
    [...Map.groupBy(some, ({ country = '' }) => country)].map(([country, own]) => ({
      ...who,
      what,
      name,
      country,
      ...sums(own),
    }));
  return [
    { ...who, what: 'all', ...sums(entries) },
    ...[...groups].flatMap(([name, some]) => [
      { ...who, what: byApn ? 'apn' : 'ratingGroup', name, ...sums(some) },
      ...byCountry('country', name, some),
      ...byCountry(
        'delayed',
        name,
        some.filter(({ delayed }) => delayed),
      ),
    ]),
  ];
}

/** A billing month is named after the month in which its cycles begin. */
function billingMonth(state: State, account: number, at: number): string {
  const { opens } = cycleAt(state, account, 'Monthly', at);
  return dayAt(ruleAt(accountOf(state, account).boundaries.Monthly, opens).timeZone, opens).slice(0, 7);
}

/** Each month of each account, and each line with usage over all of them. */
export function bill(state: State): void {
  const months = billedMonths(state.case);
  for (const [n, { byApn }] of state.case.accounts.entries()) {
    const account = nameOf.account(n);
    const own = state.ledger.filter((entry) => isData(entry) && entry.account === n);
    for (const month of months.slice(-BILLED_APART)) {
      const some = own.filter(({ at }) => billingMonth(state, n, at) === month);
      state.outcome.bills.push(...billRows({ account, month }, some, byApn));
    }
    const month = `${months[0]} to ${months.at(-1)}`;
    const lines = Map.groupBy(own, ({ line }) => line);
    for (const [line, some] of lines)
      state.outcome.bills.push(...billRows({ account, month, line: nameOf.line(line) }, some, byApn));
    if (lines.size === 0) state.outcome.bills.push(...billRows({ account, month }, [], byApn));
  }
}

/** When the day began. Where a new zone cuts a date, its pieces are in different cycles. */
const dayStart = (state: State, { account, at }: Entry) =>
  Math.max(...CYCLE_KINDS.map((kind) => cycleAt(state, account, kind, at).opens));

/** Usage lists of existing lines: bytes by line, day and plan, for the current account. */
export function listUsage(state: State): void {
  const isThere = ({ line, account }: Entry) =>
    state.lines[line]!.state !== 'gone' && state.lines[line]!.account === account;
  const data = state.ledger.filter((entry) => isData(entry) && isThere(entry));
  const keyOf = (entry: Entry) => `${entry.line} ${entry.plan} ${dayStart(state, entry)}`;
  for (const some of Map.groupBy(data, keyOf).values()) {
    const { line, plan } = some[0]!;
    const from = iso(dayStart(state, some[0]!));
    const bytes = sums(some).total;
    // A day without usage is left out.
    if (bytes > 0) state.outcome.usage.push({ line: nameOf.line(line), from, plan, bytes });
  }
}
