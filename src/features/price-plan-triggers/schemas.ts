import { type Static, Type } from 'typebox';

export const TRIGGER_CATEGORY = 'PricePlanDataUsage';

const AnyObject = Type.Object({}, { additionalProperties: true });

const PayAsYouGo = Type.Object(
  {
    filterCriteria: Type.Object(
      {
        carrierServicePlanCode: Type.String({ minLength: 1, maxLength: 64 }),
        accountNameList: Type.Array(Type.String(), { maxItems: 10_000 }),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
);

/** Everything but the profile may be absent when the trigger exists already. */
export const PricePlanTriggerEntry = Type.Object(
  {
    triggerId: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }),
    ),
    triggerName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ecpdId: Type.String(),
    triggerCategory: Type.Optional(Type.Enum([TRIGGER_CATEGORY])),
    pricePlanTrigger: Type.Optional(
      Type.Object(
        { payAsYouGo: Type.Optional(PayAsYouGo), accountGroupShare: Type.Optional(AnyObject) },
        { additionalProperties: false },
      ),
    ),
    notification: Type.Optional(AnyObject),
    active: Type.Optional(Type.Boolean({ lenient: true })),
  },
  { additionalProperties: false },
);
export type PricePlanTriggerEntry = Static<typeof PricePlanTriggerEntry>;
