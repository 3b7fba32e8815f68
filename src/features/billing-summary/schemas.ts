import { type Static, Type } from 'typebox';

/** Kinds and shapes of identifiers are checked later, with an error code for each. */
const Device = Type.Object({
  id: Type.String({ maxLength: 64 }),
  kind: Type.String({ maxLength: 16 }),
});
const Devices = Type.Array(Device, { description: 'At most 10,000' });
const Label = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ maxLength: 200 }),
});
export type Label = Static<typeof Label>;
const OnlyAccount = Type.Optional(
  Type.String({
    description: "Billing account, leading zeros kept; may be absent if it is the session's only one",
  }),
);

/** The last year whose billing months end in a year of four digits. */
const YEAR = { minimum: 1_000, maximum: 9_998 };
const MONTH = { minimum: 1, maximum: 12 };
/** A billing month, named by the calendar month in which it begins. */
const Month = Type.Object({ year: Type.Integer(YEAR), month: Type.Integer(MONTH) });
export type Month = Static<typeof Month>;

export const BilledBody = Type.Object({
  accountName: OnlyAccount,
  lineLevel: Type.Optional(
    Type.Boolean({ description: 'true: a summary for each line; required unless deviceId is given' }),
  ),
  billingCycle: Type.Object({ from: Month, to: Month }, { description: 'Both ends included' }),
  deviceId: Type.Optional(
    Type.Object(Device.properties, { description: 'kind EID (32 digits) or ICCID (18 to 22 digits)' }),
  ),
  deviceIds: Type.Optional(
    Type.Array(Device, { description: 'kind imei (15 digits); at most 10,000; not together with deviceId' }),
  ),
  label: Type.Optional(
    Type.Object(Label.properties, { description: 'Not valid for accounts with real-time rating' }),
  ),
});
export type BilledBody = Static<typeof BilledBody>;

/** Clients of this call also send numbers as text. */
const TextOrNumber = (pattern: string, range: { minimum: number; maximum: number }) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], pattern, ...range });

export const BilledUsageBody = Type.Object({
  accountName: OnlyAccount,
  deviceIds: Type.Optional(Devices),
  labels: Type.Optional(Type.Array(Label, { maxItems: 1 })),
  billingCycle: Type.Object({
    year: TextOrNumber('^[1-9][0-9]{3}$', YEAR),
    month: TextOrNumber('^(0?[1-9]|1[0-2])$', MONTH),
  }),
});
export type BilledUsageBody = Static<typeof BilledUsageBody>;

const Time = Type.String({ maxLength: 40, description: 'ISO 8601: a date, or a time with its offset' });

export const AggregateBody = Type.Object({
  accountName: OnlyAccount,
  startTime: Type.String({ maxLength: 40, description: 'At most six months back' }),
  endTime: Type.String({ maxLength: 40, description: 'At most one month after startTime' }),
  deviceIds: Type.Optional(Devices),
  label: Type.Optional(Label),
  groupName: Type.Optional(Type.String({ maxLength: 200, description: 'There are no groups' })),
});
export type AggregateBody = Static<typeof AggregateBody>;

export const UsageListBody = Type.Object({
  accountName: Type.Optional(
    Type.String({
      description:
        "Billing account, leading zeros kept; absent: that of the device, or the session's only one",
    }),
  ),
  earliest: Time,
  latest: Time,
  deviceId: Type.Optional(Device),
  label: Type.Optional(Label),
});
export type UsageListBody = Static<typeof UsageListBody>;

export const Accepted = Type.Object({
  requestId: Type.String({ format: 'uuid', description: 'The DeviceUsage callbacks carry the same value' }),
});

/** A bigint keeps all digits of a sum that a number cannot hold. */
const Bytes = Type.Unsafe<number | bigint>(Type.Integer({ minimum: 0 }));

export const UsageHistory = Type.Object({
  hasMoreData: Type.Boolean({ description: 'Ask again with earliest after the last timestamp' }),
  usageHistory: Type.Array(
    Type.Object({
      bytesUsed: Bytes,
      extendedAttributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
      servicePlan: Type.String(),
      smsUsed: Type.Integer(),
      source: Type.String(),
      timestamp: Type.String({ description: "The beginning of the day in the account's time zone" }),
    }),
  ),
});

export const WorkPayload = Type.Object({
  accountName: Type.String(),
  requestId: Type.String(),
  /** The number of lines answered so far. */
  done: Type.Integer({ minimum: 0 }),
  /** The last of them, if lines are processed in key order. */
  after: Type.Optional(Type.String()),
  /** Whether any message was posted. */
  told: Type.Boolean(),
});
