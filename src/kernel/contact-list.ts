import { isMailAddress } from './mail-address.ts';
import { isPhoneNumber } from './phone-number.ts';

/** What a comma-separated list holds: each entry once, in its order, and those that are none. */
export interface ContactList {
  readonly valid: readonly string[];
  readonly wrong: readonly string[];
}

/** Two spellings of one mailbox would be two mails in it: the first is kept. */
export const uniqueContacts = (entries: readonly string[]): readonly string[] => [
  ...Map.groupBy(entries, (entry) => entry.toLowerCase())
    .values()
    .map(([first]) => first!),
];

function parseContacts(text: string, isValid: (entry: string) => boolean): ContactList {
  const entries = text.split(',').map((entry) => entry.trim());
  const once = uniqueContacts(entries.filter((entry) => entry !== ''));
  return { valid: once.filter(isValid), wrong: once.filter((entry) => !isValid(entry)) };
}

export const parseMailAddresses = (text: string): ContactList => parseContacts(text, isMailAddress);
export const parsePhoneNumbers = (text: string): ContactList => parseContacts(text, isPhoneNumber);
