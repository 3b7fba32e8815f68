import { COLD_CHAIN, FACILITIES, HAULAGE, PRIMARY } from './accounts.ts';
import { CPE_MODELS } from './models.ts';

const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** Codes that imported fleets are unlikely to use, because plans have no tenant and the demo must not change an operator's. */
export const PLAN = {
  payg5Mb: 'LK-PAYG-5MB',
  payg50Mb: 'LK-PAYG-50MB',
  share1Gb: 'LK-SHARE-1GB',
  share2Gb: 'LK-SHARE-2GB',
  share5Gb: 'LK-SHARE-5GB',
  video: 'LK-VIDEO-UNL',
  fixed100: 'LK-FIXED-100',
  fixed300: 'LK-FIXED-300',
} as const;

interface Plan {
  readonly code: string;
  readonly name: string;
  readonly kind: 'payAsYouGo' | 'share' | 'unlimited';
  readonly allowanceBytes: number;
  readonly ratePerMb?: number;
  readonly fixedLocation?: boolean;
  readonly models?: readonly string[];
  readonly suspendWithBilling?: boolean;
  readonly throttleAtPercent?: number;
}

const sold: readonly Plan[] = [
  {
    code: PLAN.payg5Mb,
    name: 'Pay as you go, 5 MB',
    kind: 'payAsYouGo',
    allowanceBytes: 5 * MB,
    ratePerMb: 0.5,
    suspendWithBilling: true,
  },
  {
    code: PLAN.payg50Mb,
    name: 'Pay as you go, 50 MB',
    kind: 'payAsYouGo',
    allowanceBytes: 50 * MB,
    ratePerMb: 0.12,
    suspendWithBilling: true,
  },
  { code: PLAN.share1Gb, name: 'Group share, 1 GB', kind: 'share', allowanceBytes: GB, ratePerMb: 0.015 },
  { code: PLAN.share2Gb, name: 'Group share, 2 GB', kind: 'share', allowanceBytes: 2 * GB, ratePerMb: 0.012 },
  { code: PLAN.share5Gb, name: 'Group share, 5 GB', kind: 'share', allowanceBytes: 5 * GB, ratePerMb: 0.01 },
  {
    code: PLAN.video,
    name: 'Unlimited video',
    kind: 'unlimited',
    allowanceBytes: 25 * GB,
    throttleAtPercent: 100,
  },
  {
    code: PLAN.fixed100,
    name: 'Business internet, 100 Mbps',
    kind: 'unlimited',
    allowanceBytes: 150 * GB,
    fixedLocation: true,
    models: CPE_MODELS,
    throttleAtPercent: 90,
  },
  {
    code: PLAN.fixed300,
    name: 'Business internet, 300 Mbps',
    kind: 'unlimited',
    allowanceBytes: 300 * GB,
    fixedLocation: true,
    models: CPE_MODELS,
    throttleAtPercent: 100,
  },
];

export const plans = sold.map((plan) => ({ ...plan, carrierServicePlanCode: plan.code }));

export const SHARE_GROUP = 7101;

export const ratePlanGroups = [
  {
    ratePlanGroupId: SHARE_GROUP,
    ecpdId: HAULAGE.ecpdId,
    planCodes: [PLAN.share1Gb, PLAN.share2Gb, PLAN.share5Gb],
    accounts: [PRIMARY, COLD_CHAIN, FACILITIES],
  },
];
