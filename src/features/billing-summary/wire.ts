import { exactNumber } from '../../platform/json/exact-json.ts';
import { billingSummary, type DeviceRef } from '../callback-payloads/index.ts';
import type { Bill, BilledBy, BilledCountry, BilledGroup } from '../usage/index.ts';
import type { Label, Month } from './schemas.ts';
import { GROUPS_PER_PAGE } from './summary-request.ts';

const toMoney = (amount: string): number => exactNumber(roundToCents(amount));

const usageOf = ({ billedBytes, totalBytes }: Pick<Bill, 'billedBytes' | 'totalBytes'>) => ({
  totalBilledUsage: exactNumber(billedBytes),
  totalUsage: exactNumber(totalBytes),
});

const toApnCountry = (country: BilledCountry) => ({
  countryCode: country.countryCode,
  totalChargeAmount: toMoney(country.amount),
  ...usageOf(country),
});

const toApn = (group: BilledGroup, pageNumber: number) => ({
  billedAmount: toMoney(group.amount),
  billedUsage: exactNumber(group.billedBytes),
  totalUsage: exactNumber(group.totalBytes),
  name: group.name,
  pageNumber,
  apnDetails: {
    totalDelayedUsageDetails: group.delayed.map(toApnCountry),
    totalUsageDetails: group.countries.map(toApnCountry),
  },
});

const toSegmentCountry = (country: BilledCountry) => ({
  chargeAmount: toMoney(country.amount),
  ...usageOf(country),
  countryCode: country.countryCode,
});

const toSegment = (group: BilledGroup) => ({
  ratingGroup: group.name,
  ratingGroupBilledAmount: toMoney(group.amount),
  ratingGroupBilledUsage: exactNumber(group.billedBytes),
  ratingGroupTotalUsage: exactNumber(group.totalBytes),
  ratingGroupDetails: {
    totalDelayedUsageDetails: group.delayed.map(toSegmentCountry),
    totalUsageDetails: group.countries.map(toSegmentCountry),
  },
});

function inPages<T>(list: readonly T[]): (readonly T[])[] {
  const pages: (readonly T[])[] = [list.slice(0, GROUPS_PER_PAGE)];
  for (let from = GROUPS_PER_PAGE; from < list.length; from += GROUPS_PER_PAGE)
    pages.push(list.slice(from, from + GROUPS_PER_PAGE));
  return pages;
}

interface Summarised {
  readonly requestId: string;
  readonly accountName: string;
  readonly billingCycle: { readonly from: Month; readonly to: Month };
  readonly deviceIdentifier?: DeviceRef;
  readonly label?: Label;
}

/** The messages of one bill. Each has the totals of the whole bill, and one page of its APNs or rating groups. */
export const toSummaries = ({ requestId, ...whose }: Summarised, bill: Bill, by: BilledBy) =>
  inPages(bill.groups).map((groups, n) =>
    billingSummary(
      { requestId },
      {
        ...whose,
        totalBilledAmount: toMoney(bill.amount),
        ...usageOf(bill),
        ...(by === 'apn'
          ? { usageApns: groups.map((group) => toApn(group, n + 1)) }
          : { usageSegments: groups.map(toSegment) }),
      },
    ),
  );

/** Rounds the decimal digits of an amount half up to cents. */
export function roundToCents(amount: string): string {
  const [whole, fraction = ''] = amount.split('.');
  const thousandths = BigInt(`${whole}${fraction.padEnd(3, '0').slice(0, 3)}`);
  const cents = ((thousandths + 5n) / 10n).toString().padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}
