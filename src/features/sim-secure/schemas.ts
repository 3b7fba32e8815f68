import { type Static, Type } from 'typebox';
import { DEVICE_ID_KINDS, type DeviceIdKind } from '../../kernel/device-id.ts';
import { DeviceList } from '../carrier-requests/index.ts';

/** Longer than the longest SKU of the interface with the longest prefix; the rule itself is `isLicenseSku`. */
const Sku = Type.String({ minLength: 1, maxLength: 64 });

export const LicenseEntry = Type.Object(
  {
    accountName: Type.String(),
    skuNumber: Sku,
    purchased: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);
export type LicenseEntry = Static<typeof LicenseEntry>;

const identifier = Type.Optional(Type.String({ maxLength: 64 }));
const identifiers = Object.fromEntries(DEVICE_ID_KINDS.map((kind) => [kind, identifier])) as Record<
  DeviceIdKind,
  typeof identifier
>;

/** The device by one of its identifiers. */
export const LicenseAssignmentEntry = Type.Object(
  { accountName: Type.String(), skuNumber: Sku, ...identifiers },
  { additionalProperties: false },
);
export type LicenseAssignmentEntry = Static<typeof LicenseAssignmentEntry>;

/** The presence of the account and the length of the SKU are checked later, where each has its own error. */
export const SubscriptionsBody = Type.Object({
  accountName: Type.Optional(Type.String({ description: 'Required. Billing account, leading zeros kept' })),
  skuNumber: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'One of the SKUs of SIM Secure, or another of up to 20 characters',
    }),
  ),
});

export const WireSubscriptions = Type.Object({
  accountName: Type.String(),
  subscriptionList: Type.Array(
    Type.Object({
      skuNumber: Type.String(),
      licenseType: Type.String(),
      licensePurchased: Type.Integer(),
      licenseAssigned: Type.Integer(),
      licenseAvailable: Type.Integer(),
      extendedAttributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    }),
  ),
});

export const AssignBody = Type.Object({
  accountName: Type.Optional(Type.String({ description: "Absent: the session's only account" })),
  skuNumber: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A SKU of which the account has licences',
  }),
  devices: Type.Unsafe<Static<typeof DeviceList>>({
    ...DeviceList,
    description: 'At most 100 devices, each with one or more of its identifiers',
  }),
});
export type AssignBody = Static<typeof AssignBody>;

/** The part of the body that is stored with the request. */
export const StoredAssignment = Type.Object({ skuNumber: Type.String() });
export type StoredAssignment = Static<typeof StoredAssignment>;
