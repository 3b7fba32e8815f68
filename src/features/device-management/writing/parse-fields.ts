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

/** Written with dashes by people, kept as ten digits. */
function parseMdn(text: string): string {
  const digits = text.replaceAll(/[-. ()]/g, '');
  return /^[0-9]{10}$/.test(digits) ? digits : refuse(recordFaults.badMdn, { cause: 'user.mdn' });
}

/** Which record is meant, and not what is said of it. */
const NAMING = new Set(['versionid', 'deviceid']);

/** Bodies may have fields that nobody knows; those are not kept. */
export const pick = (given: WireRecord, { properties }: TObject): WireRecord =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && Object.hasOwn(properties, name) && !NAMING.has(name),
    ),
  );

/** The fields of a user that were given, and nothing that the interface does not know. */
export function parseUser(user: UserFields): WireRecord {
  const { email, credentialsid, mdn, customdata } = user;
  requireMail(email, 'user.email');
  requireMail(credentialsid, 'user.credentialsid');
  requireModest(customdata, 'user.customdata');
  return pick({ ...user, ...(mdn !== undefined && { mdn: parseMdn(mdn) }) }, UserFields);
}

/** The owner's part of a rule, whole: what is absent has no value. */
export function parseRuleFields(rule: RuleFields): WireRecord {
  requireModest(rule.rulechain, 'rule.rulechain');
  return pick(rule, RuleFields);
}
