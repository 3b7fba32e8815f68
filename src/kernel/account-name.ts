declare const brand: unique symbol;

/** A billing account name: digits and dashes, leading zeros kept. Usual shape: ten digits, dash, five digits. */
export type AccountName = string & { readonly [brand]: 'AccountName' };

/** The enterprise profile that owns accounts: the tenant. First column of every tenant key. */
export type EcpdId = string & { readonly [brand]: 'EcpdId' };

export const ACCOUNT_NAME_PATTERN = '^[0-9-]{1,32}$';
export const ECPD_ID_PATTERN = '^[0-9A-Za-z-]{1,32}$';

const ACCOUNT_NAME = new RegExp(ACCOUNT_NAME_PATTERN);
const ECPD_ID = new RegExp(ECPD_ID_PATTERN);

export const isAccountName = (text: unknown): text is AccountName =>
  typeof text === 'string' && ACCOUNT_NAME.test(text);

export const isEcpdId = (text: unknown): text is EcpdId => typeof text === 'string' && ECPD_ID.test(text);
