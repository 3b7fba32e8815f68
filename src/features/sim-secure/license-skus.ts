/** What stands where the service's own prefix is written: replaced by the configured one. */
const MARKER = 'SVC';

const LICENSE_SKUS = [
  { skuNumber: 'SIMSec-IoT-Lt', licenseType: 'Lifetime' },
  { skuNumber: 'SIMSec-IoT', licenseType: 'Flexible' },
  { skuNumber: 'SVC-BUNDLE-KTO-SIMSEC-MRC', licenseType: 'Flexible Bundle' },
  { skuNumber: 'SVC-IOT-INTLG-TIERED-SIMSEC', licenseType: 'Flexible Tiered' },
] as const;

const OTHER_TYPE = 'Flexible';
const OTHER_SKU_MAX = 20;

const MARKED = new RegExp(`^${MARKER}-`);

/** The four SKUs of the interface as this installation spells them. */
export const licenseSkus = (prefix: string) =>
  LICENSE_SKUS.map(({ skuNumber, licenseType }) => ({
    skuNumber: skuNumber.replace(MARKED, `${prefix}-`),
    licenseType,
  }));

/** SKUs beyond the four are flex licences. */
export const licenseType = (skuNumber: string, prefix: string): string =>
  licenseSkus(prefix).find((sku) => sku.skuNumber === skuNumber)?.licenseType ?? OTHER_TYPE;

/** As this installation spells it, whatever its letter case. */
export const spellSku = (text: string, prefix: string): string =>
  licenseSkus(prefix).find(({ skuNumber }) => skuNumber.toLowerCase() === text.toLowerCase())?.skuNumber ??
  text;

export const isKnownSku = (text: string, prefix: string): boolean =>
  licenseSkus(prefix).some(({ skuNumber }) => skuNumber === text);

const ANY_PREFIX = /^[A-Za-z][A-Za-z0-9]{0,15}-/;

/** The four are legal whatever their length and prefix, other values up to 20 characters. */
export const isLicenseSku = (text: string): boolean =>
  (text !== '' && text.length <= OTHER_SKU_MAX) ||
  LICENSE_SKUS.some(
    ({ skuNumber }) => MARKED.test(skuNumber) && text.replace(ANY_PREFIX, `${MARKER}-`) === skuNumber,
  );

/** Once assigned, for the life of the SIM. */
export const isLifetimeSku = (skuNumber: string): boolean => skuNumber === LICENSE_SKUS[0].skuNumber;
