import { billMonthStart, calendarOf, dateOf } from '../../../kernel/calendar.ts';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import { type Account, findAccount } from '../../accounts/index.ts';
import { billedBy, roundToCents } from '../../billing-summary/index.ts';
import { type Bill, BillTooLarge, billAccount, sumBills } from '../../usage/index.ts';
import { consoleFaults } from '../errors.ts';

const MONTHS_SHOWN = 12;
/** Lists show at most this many APNs or rating groups. Totals cover all of them. */
const GROUPS_SHOWN = 500;
const COUNTRIES_SHOWN = 250;

type Sum = Pick<Bill, 'totalBytes' | 'billedBytes' | 'amount'>;

const toSum = ({ totalBytes, billedBytes, amount }: Sum) => ({
  totalBytes: BigInt(totalBytes),
  billedBytes: BigInt(billedBytes),
  amount: Number(roundToCents(amount)),
});

const toCountries = (countries: readonly (Sum & { readonly countryCode: string })[]) =>
  countries.slice(0, COUNTRIES_SHOWN).map(({ countryCode, ...sum }) => ({ countryCode, ...toSum(sum) }));

const spanOf = (month: string, account: Account) => {
  const [year, nth] = month.split('-').map(Number);
  const [fromMs, toMs] = [billMonthStart(account, year!, nth!), billMonthStart(account, year!, nth! + 1)];
  const { dayAt, daysOf } = calendarOf(account);
  return { days: daysOf({ fromMs, toMs }), from: dateOf(dayAt(fromMs)), to: dateOf(dayAt(toMs)) };
};

async function bill({ db }: Ctx, account: Account, month: string): Promise<Bill> {
  try {
    return await billAccount(db, account, spanOf(month, account).days, billedBy(account));
  } catch (error) {
    if (error instanceof BillTooLarge) return refuse(consoleFaults.billTooLarge);
    throw error;
  }
}

/** The bill of an account for a billing month, by APN or rating group and country. */
export async function getBill(outer: Ctx, tenant: Tenant, month: string, unknown: FaultKind) {
  const account = (await findAccount(outer.db, tenant)) ?? refuse(unknown);
  // On a connection of its own, because a month can have many sums.
  const { groups, ...total } = await inTx(outer, (ctx) => bill(ctx, account, month));
  const { from, to } = spanOf(month, account);
  return {
    month,
    from,
    to,
    by: billedBy(account),
    currency: account.currency,
    ...toSum(total),
    groups: groups.slice(0, GROUPS_SHOWN).map(({ name, countries, delayed, ...sum }) => ({
      name,
      ...toSum(sum),
      countries: toCountries(countries),
      delayed: toCountries(delayed),
    })),
    more: groups.length > GROUPS_SHOWN || groups.some(({ countries }) => countries.length > COUNTRIES_SHOWN),
  };
}

/** The open month and the months before it. */
function lastMonths(account: Account, now: Date): readonly string[] {
  const { cycleAt, dayAt } = calendarOf(account);
  const [year, month] = dateOf(dayAt(cycleAt('Monthly', now.getTime()).fromMs))
    .split('-')
    .map(Number);
  return Array.from({ length: MONTHS_SHOWN }, (_, n) =>
    new Date(Date.UTC(year!, month! - MONTHS_SHOWN + n, 1)).toISOString().slice(0, 7),
  );
}

export async function listBillMonths(outer: Ctx, tenant: Tenant, unknown: FaultKind) {
  const account = (await findAccount(outer.db, tenant)) ?? refuse(unknown);
  const months = lastMonths(account, outer.now());
  const spans = months.map((month) => spanOf(month, account).days);
  // On a connection of its own, because a year of a large account has many days to add up.
  const sums = await inTx(outer, ({ db }) => sumBills(db, account, spans));
  return {
    current: months.at(-1)!,
    currency: account.currency,
    months: months.map((month, n) => ({ month, ...toSum(sums[n]!) })),
  };
}
