import { type Static, Type } from 'typebox';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import { ACCOUNT, eventsOfService, ICCID, IMEI, MDN, PLAN, REQUEST, REQUEST_ID } from './event.ts';
import {
  AccountName,
  Count,
  closed,
  DeviceRef,
  DeviceRefs,
  listOf,
  OptionalText,
  only,
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

const BillingSummaryPayload = closed({
  requestId: RequestId,
  deviceResponse: closed({ billingUsageSummary: BillingUsageSummary }),
  status: Type.Enum(['Success']),
});

/** Usage by APN for accounts with real-time rating, by rating group for others. */
type ByRating =
  | { readonly usageApns: readonly Static<typeof UsageApn>[] }
  | { readonly usageSegments: readonly Static<typeof UsageSegment>[] };
type Totals = Omit<Static<typeof BillingUsageSummary>, 'unitOfMeasure' | 'usageApns' | 'usageSegments'>;

export const billingSummary = (
  { requestId }: { readonly requestId: string },
  sums: Totals & ByRating,
): Static<typeof BillingSummaryPayload> => ({
  requestId,
  deviceResponse: { billingUsageSummary: only(BillingUsageSummary, { ...sums, unitOfMeasure: 'BYTES' }) },
  status: 'Success',
});

const DeviceTotal = closed({
  deviceIds: DeviceRefs,
  bytesUsed: Count,
  smsUsed: Count,
  servicePlan: OptionalText,
});

const AggregateUsagePayload = envelopeOf(closed({ usageResponse: listOf(DeviceTotal) }));

export const aggregateUsage = (
  request: Answered,
  usageResponse: readonly Static<typeof DeviceTotal>[],
): Static<typeof AggregateUsagePayload> => succeeded(request, { usageResponse });

const MONTH = { year: 2026, month: 2 };
const IN_ALL = { totalBilledUsage: 2_621_440, totalUsage: 3_145_728 };
const usage = eventsOfService('DeviceUsage');

export const usageEvents = {
  billingSummary: usage(
    'The requested billing data summary.',
    BillingSummaryPayload,
    billingSummary(
      { requestId: REQUEST_ID },
      {
        accountName: ACCOUNT,
        deviceIdentifier: ICCID,
        totalBilledAmount: 1.25,
        ...IN_ALL,
        billingCycle: { from: MONTH, to: MONTH },
        usageSegments: [
          {
            ratingGroup: '100',
            ratingGroupBilledAmount: 1.25,
            ratingGroupBilledUsage: IN_ALL.totalBilledUsage,
            ratingGroupTotalUsage: IN_ALL.totalUsage,
            ratingGroupDetails: {
              totalDelayedUsageDetails: [],
              totalUsageDetails: [{ chargeAmount: 1.25, ...IN_ALL, countryCode: 'USA' }],
            },
          },
        ],
      },
    ),
  ),
  aggregateUsage: usage(
    'The requested total usage of devices.',
    AggregateUsagePayload,
    aggregateUsage(REQUEST, [
      { deviceIds: [IMEI, MDN], bytesUsed: IN_ALL.totalUsage, smsUsed: 4, servicePlan: PLAN },
    ]),
  ),
};
