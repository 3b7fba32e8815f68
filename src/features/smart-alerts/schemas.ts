import { type Static, Type } from 'typebox';

const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });
const Text = Type.String();
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const FreeForm = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true }),
);
const Scalar = Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]);

export const LIMITS = {
  page: 2_000,
  defaultPage: 100,
  unpaged: 10_000,
  projection: 100,
  bulk: 1_000,
} as const;

export const WireAlert = Type.Object({
  accountclientid: Type.Null(),
  acknowledged: Type.Boolean(),
  acknowledgedby: TextOrNull,
  acknowledgedon: TextOrNull,
  billingaccountid: Text,
  cause: Type.Enum(['condition', 'absence']),
  clearedon: TextOrNull,
  clearedreason: TextOrNull,
  createdon: Text,
  description: Text,
  deviceid: Text,
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

const AlertFilter = Type.Object({
  $expand: Type.Optional(Type.String({ maxLength: 200 })),
  $limitnumber: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.page })),
  $nopagination: Type.Optional(Type.Boolean()),
  $page: Type.Optional(Type.String({ maxLength: 200 })),
  $pagenumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  $projection: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: LIMITS.projection })),
  $selection: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Scalar, { maxProperties: 100 })),
});
export type AlertFilter = Static<typeof AlertFilter>;

export const QueryBody = Type.Object({
  accountname: Text,
  filter: Type.Optional(AlertFilter),
  resourceidentifier: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Scalar, { maxProperties: 20 }),
  ),
});
export type QueryBody = Static<typeof QueryBody>;

/** A projection leaves fields out; without one every field is there. */
export const WireAlerts = Type.Array(Type.Partial(WireAlert));

const Change = {
  acknowledged: Type.Optional(Type.Boolean()),
  versionid: Type.Optional(Uuid),
};

/** Beside the id at the top, as users have it, the forms of rules: under `resourceidentifier` and `smartalert`. */
export const AcknowledgeBody = Type.Object({
  accountname: Text,
  id: Type.Optional(Uuid),
  resourceidentifier: Type.Optional(Type.Object({ id: Type.Optional(Uuid) })),
  ...Change,
  smartalert: Type.Optional(Type.Object(Change)),
});

export const BulkBody = Type.Object({
  accountname: Text,
  ids: Type.Array(Uuid, { minItems: 1, maxItems: LIMITS.bulk }),
  acknowledged: Type.Optional(Type.Boolean()),
});

export const WireMetrics = Type.Object({
  total: Type.Integer(),
  raised: Type.Integer(),
  cleared: Type.Integer(),
  acknowledged: Type.Integer(),
  unacknowledged: Type.Integer({ description: 'Raised, not cleared and not acknowledged' }),
});
