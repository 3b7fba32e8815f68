import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AccountParams, ofAccount } from '../schemas.ts';
import { getBill, listBillMonths } from './get-bill.ts';

/** Without the year 9999, whose last month ends in a year of five digits. */
const MONTH = '^([1-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])-(0[1-9]|1[0-2])$';

const currency = Type.String({ description: 'Of all amounts, as an ISO 4217 code' });
/** A bigint keeps all digits of a sum that a number cannot hold. */
const Bytes = Type.Unsafe<number | bigint>(Type.Integer({ minimum: 0 }));
const sums = {
  totalBytes: Bytes,
  billedBytes: Bytes,
  amount: Type.Number({ description: 'Rounded half up to cents' }),
};
const Countries = Type.Array(
  Type.Object({ countryCode: Type.String({ description: 'Empty if unknown' }), ...sums }),
);

const WireBill = Type.Object({
  month: Type.String(),
  from: Type.String(),
  to: Type.String({ description: 'The first day after the month' }),
  by: Type.Enum(['apn', 'rating_group']),
  currency,
  ...sums,
  groups: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Empty if unknown' }),
      ...sums,
      countries: Countries,
      delayed: { ...Countries, description: 'The part that arrived after its billing month had closed' },
    }),
  ),
  more: Type.Boolean({ description: 'True if some groups or countries are not listed' }),
});

const WireBillMonths = Type.Object({
  current: Type.String(),
  currency,
  months: Type.Array(Type.Object({ month: Type.String(), ...sums })),
});

export const billingRoutes: FastifyPluginAsyncTypebox = async (api) => {
  api.get(
    '/accounts/:accountName/billing',
    ofAccount('consoleListBillMonths', 'The bills of the last twelve billing months', WireBillMonths),
    ({ ctx, tenant, dialect }) => listBillMonths(ctx, tenant, dialect.faults.accountUnknownInPath),
  );

  api.get(
    '/accounts/:accountName/billing/:month',
    ofAccount(
      'consoleReadBill',
      'The bill of a billing month, by APN or rating group and country',
      WireBill,
      { params: Type.Object({ ...AccountParams.properties, month: Type.String({ pattern: MONTH }) }) },
    ),
    ({ ctx, tenant, params: { month }, dialect }) =>
      getBill(ctx, tenant, month, dialect.faults.accountUnknownInPath),
  );
};
