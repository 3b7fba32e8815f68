import { Type } from 'typebox';
import { EXCLUSIONS_MAX } from './consent.ts';
import type { ConsentHistory } from './ledger/get-history.ts';
import { BASES, type ConsentInterval } from './ledger/intervals.ts';

const AccountName = Type.String({ description: 'Billing account, leading zeros kept' });
/** Longer than any identifier: the use-case checks the contents, with the interface's own messages. */
const Id = Type.String({ maxLength: 128, description: 'IMEI, MEID or ESN' });

export const AccountParams = Type.Object({ accountName: AccountName });
export const PageParams = Type.Object({
  accountName: AccountName,
  startIndex: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'From 0' }),
});

export const ExclusionBody = Type.Object({
  accountName: AccountName,
  type: Type.Optional(Type.Enum(['append', 'replace'], { description: 'Absent: replace' })),
  allDevice: Type.Optional(Type.Boolean({ description: 'Absent: unchanged' })),
  exclusion: Type.Optional(
    Type.Array(Id, {
      description: `One identifier per device, at most ${EXCLUSIONS_MAX} in the list; empty only with allDevice false, which clears both`,
    }),
  ),
});

export const RemoveQuery = Type.Object({
  accountName: AccountName,
  deviceList: Type.String({ description: 'IMEIs, MEIDs or ESNs, separated by commas' }),
});

export const Success = Type.Object({ success: Type.Boolean() });
export const Removed = Type.Object({
  success: Type.Boolean(),
  notListed: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Identifiers of the request that were not in the list; absent if all were',
    }),
  ),
});

export const WireExclusions = Type.Object({
  accountName: AccountName,
  allDevice: Type.Boolean(),
  exclusion: Type.Array(Type.String()),
  hasMoreData: Type.Boolean(),
  totalCount: Type.Integer(),
  updateTime: Type.String({ description: 'Like 2018-05-18 19:20:50.076 +0000 UTC; empty if never changed' }),
});

const GivenLevel = Type.Optional(
  Type.Unsafe<unknown>({
    description:
      '0 precise and coarse allowed, 1 only precise, 2 only coarse, 3 all denied; a number, or text with that digit',
  }),
);

export const AccountConsentBody = Type.Object({
  accountName: AccountName,
  allDeviceConsent: GivenLevel,
  deviceList: Type.Optional(
    Type.Unsafe<unknown>({ description: 'Refused here unless it is empty: POST sets single devices' }),
  ),
});

export const DeviceConsentBody = Type.Object({
  accountName: AccountName,
  deviceList: Type.Array(
    Type.Object({
      id: Id,
      kind: Type.String({ maxLength: 32, description: 'IMEI, MEID or ESN' }),
      mdn: Type.Optional(Type.String({ maxLength: 32 })),
      consent: GivenLevel,
    }),
    { description: 'At most 10,000 devices' },
  ),
});

export const Queued = Type.Object({
  transactionID: Type.String({ description: 'The same in every callback of consentEnableReport' }),
  transactionId: Type.String(),
  status: Type.String(),
});

export const LevelQuery = Type.Object({
  accountName: AccountName,
  deviceId: Type.Optional(Id),
  after: Type.Optional(
    Type.String({ maxLength: 128, description: 'The id of the last device of the answer before' }),
  ),
});

const Level = Type.Integer({ minimum: 0, maximum: 3 });

export const WireLevels = Type.Object({
  accountName: AccountName,
  allDeviceConsent: Type.Optional(Level),
  deviceList: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      mdn: Type.Optional(Type.String()),
      consent: Level,
    }),
  ),
  hasMoreData: Type.Boolean(),
});

const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

export const RangeQuery = Type.Object({
  from: time('Date and time; absent: 30 days before `to`'),
  to: time('Date and time, excluded; absent or in the future: now'),
});

export const HistoryQuery = Type.Object({
  deviceId: Id,
  kind: Type.Optional(Type.String({ maxLength: 32, description: 'IMEI, MEID or ESN; absent: any of these' })),
  ...RangeQuery.properties,
});

const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

export const WireHistory = Type.Unsafe<ConsentHistory>(
  Type.Object({
    from: Timestamp,
    to: Type.Unsafe<Date>({ ...Timestamp, description: 'Where the answer ends' }),
    intervals: Type.Array(
      Type.Unsafe<ConsentInterval>(
        Type.Object({
          from: Timestamp,
          to: Timestamp,
          coarse: Type.Boolean({ description: 'Whether coarse location was allowed' }),
          precise: Type.Boolean({ description: 'Whether precise location was allowed' }),
          basis: Type.Enum([...BASES]),
          level: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          since: Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' }),
          actor: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Who set it' }),
        }),
      ),
    ),
    hasMoreData: Type.Boolean({ description: 'Ask again from where this answer ends' }),
  }),
);
