import { type TSchema, Type } from 'typebox';
import { viewerOfAccount } from '../../platform/http/access.ts';

export const AccountParams = Type.Object({ accountName: Type.String({ maxLength: 32 }) });
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });
export const TimestampOrNull = Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time' });
export const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NumberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const MS_MAX = 9_999_999_999_999;
export const Milliseconds = Type.Integer({
  minimum: 0,
  maximum: MS_MAX,
  description: 'Milliseconds since 1970',
});
export const Done = Type.Object({ success: Type.Boolean() });
export const OptionalText = Type.Optional(Type.String({ maxLength: 128 }));
export const ViewedAccount = Type.Object({ accountName: Type.String(), organizationName: TextOrNull });

const PAGE_MAX = 200;
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 }));
/** `page` is the `next` of the previous answer. */
export const PageQuery = Type.Object({ page: Type.Optional(Type.String({ maxLength: 200 })), limit });
export const NumberedPageQuery = Type.Object({
  page: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
  limit,
});

/** A route that reads about the account in the path. `inputs` replaces the parameters if it takes more. */
export const ofAccount = <Answer extends TSchema, Inputs extends object = { params: typeof AccountParams }>(
  operationId: string,
  summary: string,
  answer: Answer,
  inputs?: Inputs,
) => ({
  config: { access: viewerOfAccount() },
  schema: {
    operationId,
    summary,
    response: { 200: answer },
    ...((inputs ?? { params: AccountParams }) as Inputs),
  },
});
