import { Type } from 'typebox';

export const AccountParams = Type.Object({ accountName: Type.String({ maxLength: 32 }) });
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const TimestampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });
export const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NumberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const Done = Type.Object({ success: Type.Boolean() });

export const PAGE_MAX = 200;
/** Where a list goes on: the `next` of the answer before. */
export const PageQuery = Type.Object({
  page: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
});
export const OptionalText = Type.Optional(Type.String({ maxLength: 128 }));

export const ViewedAccount = Type.Object({ accountName: Type.String(), organizationName: TextOrNull });

export const SignInBody = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  operatorKey: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
});

export const WireSession = Type.Object({
  kind: Type.Enum(['user', 'operator']),
  name: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'What the operator key may do; empty for users' }),
  homeAccount: TextOrNull,
  sandbox: Type.Boolean({ description: 'Whether the clock can be moved' }),
  version: Type.String(),
  now: Timestamp,
});

export const WireAccounts = Type.Object({
  accounts: Type.Array(ViewedAccount),
  next: Type.Optional(Type.String()),
});
