import type { TObject } from 'typebox';
import { isMailAddress } from '../../../kernel/mail-address.ts';
import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import { DOCUMENT_MAX_BYTES } from '../limits.ts';
import type { WireRecord } from '../querying/wire.ts';
import { RuleFields, UserFields } from './schemas.ts';

export function requireModest(document: unknown, cause: string): void {
  if (document !== undefined && Buffer.byteLength(JSON.stringify(document)) > DOCUMENT_MAX_BYTES)
    refuse(recordFaults.tooLarge, { cause });
}

function requireMail(address: string | undefined, cause: string): void {
  if (address !== undefined && !isMailAddress(address)) refuse(recordFaults.badEmail, { cause });
}

/** Users write it with dashes; it is stored as ten digits. */
function parseMdn(text: string): string {
  const digits = text.replaceAll(/[-. ()]/g, '');
  return /^[0-9]{10}$/.test(digits) ? digits : refuse(recordFaults.badMdn, { cause: 'user.mdn' });
}

/** Identify the record rather than describe it. */
const NAMING = new Set(['versionid', 'deviceid']);

/** Bodies may have unknown fields, which are not stored. */
export const pick = (given: WireRecord, { properties }: TObject): WireRecord =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && Object.hasOwn(properties, name) && !NAMING.has(name),
    ),
  );

/** The given fields of a user that the interface knows. */
export function parseUser(user: UserFields): WireRecord {
  const { email, credentialsid, mdn, customdata } = user;
  requireMail(email, 'user.email');
  requireMail(credentialsid, 'user.credentialsid');
  requireModest(customdata, 'user.customdata');
  return pick({ ...user, ...(mdn !== undefined && { mdn: parseMdn(mdn) }) }, UserFields);
}

/** All of the owner's fields of a rule: absent ones have no value. */
export function parseRuleFields(rule: RuleFields): WireRecord {
  requireModest(rule.rulechain, 'rule.rulechain');
  return pick(rule, RuleFields);
}
