import { Type } from 'typebox';

export const AccountParams = Type.Object({
  accountName: Type.String({ description: 'Billing account, leading zeros kept' }),
});

export const WirePlan = Type.Object({
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
