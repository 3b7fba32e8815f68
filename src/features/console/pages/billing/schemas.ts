import { Type } from 'typebox';

/** The months of the year 9999 would end in a year of five digits. */
export const MONTH = '^([1-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])-(0[1-9]|1[0-2])$';
/** More APNs or rating groups than anybody reads; the totals are of all. */
export const GROUPS_SHOWN = 500;
export const COUNTRIES_SHOWN = 250;

const sums = {
  totalBytes: Type.Number(),
  billedBytes: Type.Number(),
  amount: Type.Number({ description: 'Rounded half up to cents' }),
};
const Country = Type.Object({ countryCode: Type.String({ description: 'Empty: not known' }), ...sums });

export const WireBill = Type.Object({
  month: Type.String(),
  from: Type.String(),
  to: Type.String({ description: 'The first day after it' }),
  by: Type.Enum(['apn', 'rating_group']),
  ...sums,
  groups: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Empty: not known' }),
      ...sums,
      countries: Type.Array(Country),
      delayed: Type.Array(Country, {
        description: 'The part of it that came after its billing month had closed',
      }),
    }),
  ),
  more: Type.Boolean({ description: 'There are groups or countries that are not listed' }),
});

export const WireBillMonths = Type.Object({
  current: Type.String(),
  months: Type.Array(Type.Object({ month: Type.String(), ...sums })),
});
