import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';

export const TRIGGER_CATEGORY = 'PricePlanDataUsage';
/** The limit of an entry in the fleet document, so that every stored trigger can be exported and imported again. */
export const BODY_MAX_BYTES = 1024 * 1024;

const anyObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

const PayAsYouGo = anyObject(
  `filterCriteria {carrierServicePlanCode, accountNameList}; condition {conditionType Individual, AccountLevel,
UsageAllowance or Aging, comparator gt, lt or eq, threshold, thresholdUnit KB, MB, GB or TB, cycleType Daily, Weekly or
Monthly, separateOrCombined, percentage50 to percentage100}; action {suspend, suspendDetails, changePlan,
changePlanDetails, agingDetails}`.replaceAll('\n', ' '),
);
const AccountGroupShare = anyObject(
  `One of accountGroupShareIndividual and accountGroupSharePool, each with filterCriteria {ratePlanGroupId}, condition
{action: notify, suspend or changePricePlan} and action`.replaceAll('\n', ' '),
);
const PricePlanRule = Type.Object(
  { payAsYouGo: Type.Optional(PayAsYouGo), accountGroupShare: Type.Optional(AccountGroupShare) },
  { additionalProperties: true, description: 'Exactly one of the two' },
);
const Notification = anyObject(
  `notificationType PerEvent or DailySummary, callback, emailNotification, externalEmailRecipients, notificationGroupName,
smsNotification, smsNumbers [{number, carrier}], reminder, notificationFrequencyFactor, notificationFrequencyInterval
Hourly, Daily or Weekly, severity Notice, Minor, Major or Critical`.replaceAll('\n', ' '),
);

/** Blank text counts as absent, as in every other field. */
const TriggerName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const Category = Type.Enum([TRIGGER_CATEGORY]);
const Flag = Type.Boolean({ lenient: true });

/** Only the profile is required if the trigger already exists. */
export const PricePlanTriggerEntry = Type.Object(
  {
    triggerId: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    triggerName: Type.Optional(TriggerName),
    ecpdId: Type.String(),
    triggerCategory: Type.Optional(Category),
    pricePlanTrigger: Type.Optional(
      Type.Object({ ...PricePlanRule.properties }, { additionalProperties: false }),
    ),
    notification: Type.Optional(Notification),
    active: Type.Optional(Flag),
  },
  { additionalProperties: false },
);
export type PricePlanTriggerEntry = Static<typeof PricePlanTriggerEntry>;

const EcpdId = Type.String({
  maxLength: 32,
  description: "The profile; absent: that of the caller's accounts",
});

export const CreateBody = Type.Object({
  triggerName: TriggerName,
  ecpdId: Type.Optional(EcpdId),
  triggerCategory: Type.Optional(Category),
  pricePlanTrigger: PricePlanRule,
  notification: Notification,
  active: Type.Optional(Flag),
});
export type CreateBody = Static<typeof CreateBody>;

/** Absent fields keep their values. */
export const UpdateBody = Type.Object({
  triggerId: Type.String({ maxLength: 64 }),
  ...Type.Partial(CreateBody).properties,
});
export type UpdateBody = Static<typeof UpdateBody>;

export const TriggerParams = Type.Object({ triggerId: Type.String() });
export const AccountParams = Type.Object({
  accountName: Type.String({ description: 'Billing account, leading zeros kept' }),
});
export const CategoryParams = Type.Object({ category: Type.String() });

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '1000 when absent' })),
  page: Type.Optional(Type.String({ maxLength: 128, description: 'X-Next of the previous page' })),
});
export const VersionQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '100 when absent' })),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The last version of the previous page' }),
  ),
});

export const TriggerIdAnswer = Type.Object({ triggerId: Type.String() });

const Stored = {
  pricePlanTrigger: Type.Optional(PricePlanRule),
  notification: Type.Optional(Notification),
  active: Type.Boolean(),
};

export const WireTrigger = Type.Object({
  triggerId: Type.String(),
  triggerName: Type.String(),
  ecpdId: Type.String(),
  accountName: Type.String({ description: 'The first account that it names, or of the profile' }),
  organizationName: Type.String(),
  triggerCategory: Type.String(),
  triggerAttributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  ...Stored,
  createdAt: Type.String(),
  modifiedAt: Type.String(),
});
export const WireTriggers = Type.Object({ triggers: Type.Array(WireTrigger) });

export const WireVersion = Type.Object({
  version: Type.Integer(),
  triggerName: Type.String(),
  ...Stored,
  writtenAt: Type.String(),
  writtenBy: Type.Optional(Type.String({ description: 'The user; absent for the fleet document' })),
});
export const WireVersions = Type.Object({ triggerId: Type.String(), versions: Type.Array(WireVersion) });
