import { type Static, Type } from 'typebox';

const digits = (more: object) =>
  Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'], ...more }));

/** The body of all location requests. Lengths are checked later, where each has its own error. */
export const LocateBody = Type.Object({
  accountName: Type.String(),
  accuracyMode: digits({ description: '0 coarse (default), 1 precise' }),
  cacheMode: digits({ description: '0 cached only, 1 cached or current (default), 2 current' }),
  maxLocAge: digits({
    pattern: '^[0-9]{1,9}$',
    minimum: 0,
    maximum: 999_999_999,
    description: 'Seconds: how old a cached position may be',
  }),
  deviceList: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String({ description: 'IMEI, MEID or ESN' }),
      mdn: Type.Optional(Type.String({ maxLength: 20 })),
    }),
  ),
});
export type LocateBody = Static<typeof LocateBody>;

const Utc = Type.String({ description: 'yyyyMMddHHmmss in UTC' });

/** Both `pd` and `error` are always present; the one that does not apply is empty. */
export const WireEntry = Type.Object({
  msid: Type.String(),
  pd: Type.Object({
    x: Type.Optional(Type.String({ description: 'Latitude in decimal degrees' })),
    y: Type.Optional(Type.String({ description: 'Longitude in decimal degrees' })),
    radius: Type.Optional(Type.String({ description: 'Metres' })),
    qos: Type.Optional(Type.Boolean()),
    time: Type.Optional(Utc),
    cacheMode: Type.Optional(Type.String({ description: 'With cacheMode 1: "2" from the cache, "0" fresh' })),
  }),
  error: Type.Object({
    type: Type.Optional(Type.String()),
    info: Type.Optional(Type.String()),
    time: Type.Optional(Utc),
  }),
});
export type WireEntry = Static<typeof WireEntry>;

export const AccountParams = Type.Object({ accountName: Type.String() });

export const WireSubscription = Type.Object({
  accountName: Type.String(),
  locType: Type.String({ description: 'The SKU' }),
  maxAllowance: Type.String(),
  purchaseTime: Type.String(),
});

const DAY = Type.String({ description: 'mm-dd-yyyy' });
export const UsageBody = Type.Object({
  accountName: Type.String(),
  startDate: DAY,
  endDate: Type.String({ description: 'mm-dd-yyyy; this day is included' }),
  usageForAllAccounts: Type.Optional(Type.Boolean({ lenient: true })),
  usageForAllAcounts: Type.Optional(Type.Boolean({ lenient: true })),
});
export type UsageBody = Static<typeof UsageBody>;

const AccountCount = Type.Object({
  accountName: Type.Optional(Type.String()),
  transactionsCount: Type.Optional(Type.String()),
});

/** Has both spellings of two names, because published clients read one or the other. */
export const WireUsage = Type.Object({
  accountName: Type.String(),
  usageForAllAccounts: Type.Boolean(),
  usageForAllAcounts: Type.Boolean(),
  skuName: Type.String(),
  transactionsAllowed: Type.String(),
  totalTransactionCount: Type.String(),
  PrimaryAccount: AccountCount,
  primaryAccount: AccountCount,
  ManagedAccounts: Type.Array(AccountCount),
});
export type WireUsage = Static<typeof WireUsage>;
