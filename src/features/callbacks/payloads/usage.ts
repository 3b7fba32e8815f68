import { type Static, Type } from 'typebox';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import {
  AccountName,
  Count,
  closed,
  DeviceRef,
  DeviceRefs,
  listOf,
  OptionalText,
  RequestId,
  Text,
} from './shapes.ts';

const Amount = Type.Number();
const Month = closed({ year: Type.Integer(), month: Type.Integer({ minimum: 1, maximum: 12 }) });

const ApnCountry = closed({
  countryCode: Text,
  totalChargeAmount: Amount,
  totalBilledUsage: Amount,
  totalUsage: Amount,
});

const UsageApn = closed({
  billedAmount: Amount,
  billedUsage: Amount,
  totalUsage: Amount,
  name: Text,
  pageNumber: Type.Integer(),
  apnDetails: closed({
    totalDelayedUsageDetails: listOf(ApnCountry),
    totalUsageDetails: listOf(ApnCountry),
  }),
});

const SegmentCountry = closed({
  chargeAmount: Amount,
  totalBilledUsage: Amount,
  totalUsage: Amount,
  countryCode: Text,
});

const UsageSegment = closed({
  ratingGroup: Text,
  ratingGroupBilledAmount: Amount,
  ratingGroupBilledUsage: Amount,
  ratingGroupTotalUsage: Amount,
  ratingGroupDetails: closed({
    totalDelayedUsageDetails: listOf(SegmentCountry),
    totalUsageDetails: listOf(SegmentCountry),
  }),
});

const BillingUsageSummary = closed({
  accountName: AccountName,
  deviceIdentifier: Type.Optional(DeviceRef),
  label: Type.Optional(closed({ name: Text, value: Text })),
  totalBilledAmount: Amount,
  totalBilledUsage: Amount,
  totalUsage: Amount,
  unitOfMeasure: Type.Enum(['BYTES']),
  billingCycle: closed({ from: Month, to: Month }),
  usageApns: Type.Optional(listOf(UsageApn)),
  usageSegments: Type.Optional(listOf(UsageSegment)),
});

export const BillingSummaryPayload = closed({
  requestId: RequestId,
  deviceResponse: closed({ billingUsageSummary: BillingUsageSummary }),
  status: Type.Enum(['Success']),
});

/** Accounts with real-time rating get their usage by APN, the others by rating group. */
type ByRating =
  | { readonly usageApns: readonly Static<typeof UsageApn>[] }
  | { readonly usageSegments: readonly Static<typeof UsageSegment>[] };
type Totals = Omit<Static<typeof BillingUsageSummary>, 'unitOfMeasure' | 'usageApns' | 'usageSegments'>;

export const billingSummary = (
  { requestId }: { readonly requestId: string },
  { accountName, deviceIdentifier, label, ...sums }: Totals & ByRating,
): Static<typeof BillingSummaryPayload> => ({
  requestId,
  deviceResponse: {
    billingUsageSummary: {
      accountName,
      ...(deviceIdentifier !== undefined && { deviceIdentifier }),
      ...(label !== undefined && { label }),
      totalBilledAmount: sums.totalBilledAmount,
      totalBilledUsage: sums.totalBilledUsage,
      totalUsage: sums.totalUsage,
      unitOfMeasure: 'BYTES',
      billingCycle: sums.billingCycle,
      ...('usageApns' in sums ? { usageApns: sums.usageApns } : { usageSegments: sums.usageSegments }),
    },
  },
  status: 'Success',
});

const DeviceTotal = closed({
  deviceIds: DeviceRefs,
  bytesUsed: Count,
  smsUsed: Count,
  servicePlan: OptionalText,
});

export const AggregateUsagePayload = envelopeOf(closed({ usageResponse: listOf(DeviceTotal) }));

export const aggregateUsage = (
  request: Answered,
  usageResponse: readonly Static<typeof DeviceTotal>[],
): Static<typeof AggregateUsagePayload> => succeeded(request, { usageResponse });
