import { type Static, Type } from 'typebox';
import { UUID_PATTERN } from '../../kernel/uuid.ts';
import { Filter, ResourceIdentifier } from '../device-management/index.ts';

const Uuid = Type.String({ pattern: UUID_PATTERN });
const Text = Type.String();
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const FreeForm = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true }),
);

/** At most this many can be acknowledged in one call. */
const BULK_MAX = 1_000;

export const WireComparison = Type.Object({
  field: Text,
  operator: Type.Optional(Text),
  limit: Type.Optional(Type.Unsafe<unknown>({ description: 'The value with which the field is compared' })),
  value: Type.Optional(Type.Unsafe<unknown>({ description: 'The value of the field' })),
});

export const WireAlert = Type.Object({
  accountclientid: Type.Null(),
  acknowledged: Type.Boolean(),
  acknowledgedby: TextOrNull,
  acknowledgedon: TextOrNull,
  billingaccountid: Text,
  cause: Type.Enum(['condition', 'absence']),
  clearedon: TextOrNull,
  clearedreason: TextOrNull,
  compared: Type.Array(WireComparison, {
    description: "The comparisons of the rule's condition when it raised the alert",
  }),
  createdon: Text,
  description: Text,
  deviceid: Text,
  devicename: {
    ...TextOrNull,
    description: 'The present name of the device, or an identifier if it has none',
  },
  foreignid: Text,
  id: Text,
  lastupdated: Text,
  name: Text,
  raisedon: Text,
  reading: FreeForm,
  ruleid: Text,
  state: Type.Enum(['raised', 'cleared']),
  version: Text,
  versionid: Text,
});
export type WireAlert = Static<typeof WireAlert>;

const AlertIdentifier = Type.Object({
  ...ResourceIdentifier.properties,
  ruleid: Type.Optional(Type.Unsafe<unknown>({ description: 'UUID of the rule that raised it' })),
});

export const QueryBody = Type.Object({
  accountname: Text,
  filter: Type.Optional(Filter),
  resourceidentifier: Type.Optional(AlertIdentifier),
});
export type QueryBody = Static<typeof QueryBody>;

/** A projection omits fields; without one, every field is present. */
export const WireAlerts = Type.Array(Type.Partial(WireAlert));

const Change = {
  acknowledged: Type.Optional(Type.Boolean()),
  versionid: Type.Optional(Type.String({ maxLength: 40 })),
};

/** Accepts the id at the top level, as for users, and as in rules under `resourceidentifier` and `smartalert`. */
export const AcknowledgeBody = Type.Object({
  accountname: Text,
  id: Type.Optional(Uuid),
  resourceidentifier: Type.Optional(Type.Object({ id: Type.Optional(Uuid) })),
  ...Change,
  smartalert: Type.Optional(Type.Object(Change)),
});

export const BulkBody = Type.Object({
  accountname: Text,
  ids: Type.Array(Uuid, { minItems: 1, maxItems: BULK_MAX }),
  acknowledged: Type.Optional(Type.Boolean()),
});

export const WireMetrics = Type.Object({
  total: Type.Integer(),
  raised: Type.Integer(),
  cleared: Type.Integer(),
  acknowledged: Type.Integer(),
  unacknowledged: Type.Integer({ description: 'Raised, not cleared and not acknowledged' }),
});

/** As the body that writes a rule, of which only these members are read. */
export const TrialBody = Type.Object({
  accountname: Text,
  resourceidentifier: Type.Optional(ResourceIdentifier),
  rule: Type.Object({
    deviceid: Type.Optional(Type.String({ maxLength: 40 })),
    rulesyntax: Type.String({ maxLength: 100 }),
    rulechain: FreeForm,
  }),
});

export const WireTrial = Type.Object({
  active: Type.Boolean({ description: 'Whether readings would be compared with the rule' }),
  reason: Type.Optional(Type.String({ description: 'Why not' })),
  holds: Type.Optional(
    Type.Boolean({ description: 'Absent if the last readings of the device do not decide it' }),
  ),
  compared: Type.Array(WireComparison),
  at: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the device last reported',
  }),
  fields: Type.Array(Type.String(), { description: 'What the device has reported so far' }),
});
