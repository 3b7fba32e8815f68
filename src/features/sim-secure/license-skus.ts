/** A placeholder for the service's prefix, replaced with the configured one. */
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

/** SKUs are compared without letter case. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The four SKUs of the interface as this installation spells them. */
const licenseSkus = (prefix: string) =>
  LICENSE_SKUS.map(({ skuNumber, licenseType }) => ({
    skuNumber: skuNumber.replace(MARKED, `${prefix}-`),
    licenseType,
  }));

/** SKUs other than the four are flexible licences. */
export const licenseType = (skuNumber: string, prefix: string): string =>
  licenseSkus(prefix).find((sku) => isSame(sku.skuNumber, skuNumber))?.licenseType ?? OTHER_TYPE;

/** The SKU in this installation's spelling. */
export const spellSku = (text: string, prefix: string): string =>
  licenseSkus(prefix).find(({ skuNumber }) => isSame(skuNumber, text))?.skuNumber ?? text;

export const isKnownSku = (text: string, prefix: string): boolean =>
  licenseSkus(prefix).some(({ skuNumber }) => isSame(skuNumber, text));

const ANY_PREFIX = /^[A-Za-z][A-Za-z0-9]{0,15}-/;

/** One of the four SKUs in the interface's letter case, with any prefix. Other text is unchanged. */
export function spellLikeInterface(text: string): string {
  const [prefix = `${MARKER}-`] = ANY_PREFIX.exec(text) ?? [];
  const known = LICENSE_SKUS.map(({ skuNumber }) => skuNumber.replace(MARKED, prefix));
  return known.find((skuNumber) => isSame(skuNumber, text)) ?? text;
}

/** For a SKU that may have been stored under another prefix. */
export const licenseTypeOfAnyPrefix = (skuNumber: string): string =>
  licenseType(skuNumber, ANY_PREFIX.exec(skuNumber)?.[0].slice(0, -1) ?? MARKER);

/** The four are valid with any length and prefix, other values up to 20 characters. */
export const isLicenseSku = (text: string): boolean =>
  (text !== '' && text.length <= OTHER_SKU_MAX) ||
  LICENSE_SKUS.some(
    ({ skuNumber }) => MARKED.test(skuNumber) && isSame(text.replace(ANY_PREFIX, `${MARKER}-`), skuNumber),
  );

/** Once assigned, a Lifetime licence stays for the life of the SIM. */
export const isLifetimeSku = (skuNumber: string): boolean => isSame(skuNumber, LICENSE_SKUS[0].skuNumber);
