import { type Static, Type } from 'typebox';

/** Longer than the longest SKU of the interface with the longest prefix; the rule itself is `isLicenseSku`. */
const Sku = Type.String({ minLength: 1, maxLength: 64 });

export const LicenseEntry = Type.Object(
  {
    accountName: Type.String(),
    skuNumber: Sku,
    purchased: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  },
  { additionalProperties: false },
);
export type LicenseEntry = Static<typeof LicenseEntry>;

export const LicenseAssignmentEntry = Type.Object(
  { accountName: Type.String(), skuNumber: Sku, imei: Type.String({ pattern: '^[0-9]{14,16}$' }) },
  { additionalProperties: false },
);
