import { type Static, Type } from 'typebox';

/** `parsePlace` checks the contents, and says which field of which device is wrong. */
const text = (description?: string) =>
  Type.Optional(Type.String({ maxLength: 200, ...(description !== undefined && { description }) }));

const WireAddress = Type.Object({
  addressLine1: text('Physical address, no P.O. box'),
  addresLine1: text('Another spelling of addressLine1'),
  addressLine2: text(),
  city: text(),
  state: text('Two letters'),
  zip: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), Type.Integer()], {
      description: '5 digits; a number may have lost its leading zeros',
    }),
  ),
  zip4: text('4 digits'),
  'zip+4': text('Another spelling of zip4'),
  country: text('US, also if absent'),
});
const WireCustomerName = Type.Object({
  title: text(),
  firstName: text('Up to 20 letters, digits, spaces, dashes, exclamation points and pound signs'),
  middleName: text(),
  lastName: text('Up to 25 of the same characters'),
  suffix: text(),
});

export const WirePlace = Type.Object({
  address: Type.Optional(WireAddress),
  customerName: Type.Optional(WireCustomerName),
});
export type WirePlace = Static<typeof WirePlace>;

const Kept = Type.String();
const Extra = Type.Optional(Type.String());

const Address = Type.Object({
  addressLine1: Kept,
  addressLine2: Extra,
  city: Kept,
  state: Kept,
  zip: Kept,
  zip4: Extra,
  country: Type.Literal('US'),
});
export type Address = Static<typeof Address>;

const CustomerName = Type.Object({
  title: Extra,
  firstName: Kept,
  middleName: Extra,
  lastName: Kept,
  suffix: Extra,
});
export type CustomerName = Static<typeof CustomerName>;

/** Where a device is used, and by whom, as it is stored. */
export const PlaceOfUse = Type.Object({ address: Address, customerName: CustomerName });
export type PlaceOfUse = Static<typeof PlaceOfUse>;
