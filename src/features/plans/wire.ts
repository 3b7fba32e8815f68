import type { Static } from 'typebox';
import type { WireAccount, WirePlan } from './schemas.ts';
import type { AccountWithPlans, Plan } from './sql.ts';

export const toWirePlan = ({
  name,
  code,
  sizeKb,
  carrierServicePlanCode,
  kind,
}: Plan): Static<typeof WirePlan> => ({
  name,
  code,
  sizeKb,
  carrierServicePlanCode,
  extendedAttributes: [{ key: 'kind', value: kind }],
});

/** Linekeeper is the carrier, and has one pool of addresses. */
export const toWireAccount = (account: AccountWithPlans): Static<typeof WireAccount> => ({
  accountName: account.accountName,
  accountNumber: account.accountName,
  organizationName: account.organizationName ?? '',
  isProvisioningAllowed: true,
  carriers: ['Linekeeper'],
  features: [
    ...(account.locationRegistered ? ['Location'] : []),
    ...(account.realTimeRating ? ['RealTimeRating'] : []),
    ...(account.aggregatedBilling ? ['AggregatedBilling'] : []),
  ],
  iPPools: [{ poolName: 'default', poolType: 'Dynamic', isDefaultPool: true }],
  servicePlans: account.servicePlans.map(toWirePlan),
});
