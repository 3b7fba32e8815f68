/** The location SKUs of the interface, without the installation's prefix. */
const LOCATION_SKUS = ['5K', '10K', '100K', '1M', 'Aggr', 'Aggr-ECPD'].map(
  (size) => `LOC-COARSE-CellID-${size}`,
);
const PREFIXED = /^([A-Za-z0-9]+)-(.+)$/;
/** The interface's placeholder for the prefix. */
const MARKER = 'SVC';

/** SKUs are the same in any letter case. */
export const isSameSku = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A location SKU in the interface's letter case; another prefix, and any other text, stays unchanged. */
export function spellSkuName(text: string): string {
  const [, prefix = '', rest = ''] = PREFIXED.exec(text) ?? [];
  const known = LOCATION_SKUS.find((sku) => isSameSku(sku, rest));
  if (known === undefined) return text;
  return `${isSameSku(prefix, MARKER) ? MARKER : prefix}-${known}`;
}

/** The location SKU, with the prefix of the installation, that matches the text in any letter case. */
export const findLocationSku = (text: string, prefix: string): string | undefined =>
  LOCATION_SKUS.map((sku) => `${prefix}-${sku}`).find((sku) => isSameSku(sku, text));
