import { isMailAddress } from './mail-address.ts';
import { isPhoneNumber } from './phone-number.ts';

/** The entries of a comma-separated list: each once, in order, and the invalid ones. */
export interface ContactList {
  readonly valid: readonly string[];
  readonly wrong: readonly string[];
}

/** Keeps the first of several spellings of one mailbox, which would otherwise get several mails. */
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
