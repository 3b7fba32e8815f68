import { type Static, Type } from 'typebox';
import type { AccountWithPlans, Plan } from './sql.ts';

export const AccountParams = Type.Object({
  accountName: Type.String({ description: 'Billing account, leading zeros kept' }),
});

const WirePlan = Type.Object({
  name: Type.String(),
  code: Type.String(),
  sizeKb: Type.Number(),
  carrierServicePlanCode: Type.String(),
  extendedAttributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
});

export const WirePlanList = Type.Array(WirePlan);

export const WireAccount = Type.Object({
  accountName: Type.String(),
  accountNumber: Type.String(),
  organizationName: Type.String(),
  isProvisioningAllowed: Type.Boolean(),
  carriers: Type.Array(Type.String()),
  features: Type.Array(Type.String()),
  iPPools: Type.Array(
    Type.Object({ poolName: Type.String(), poolType: Type.String(), isDefaultPool: Type.Boolean() }),
  ),
  servicePlans: WirePlanList,
});

export const toWirePlan = ({ kind, ...plan }: Plan): Static<typeof WirePlan> => ({
  ...plan,
  extendedAttributes: [{ key: 'kind', value: kind }],
});

/** Linekeeper is the carrier, and has one address pool. */
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
