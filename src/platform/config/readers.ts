import { parseDuration } from '../../kernel/duration.ts';
import { isMailAddress } from '../../kernel/mail-address.ts';

/** One setting's text → its value. Throws with the words that complete "NAME must be …". */
export type Reader<T> = (text: string) => T;

export class SettingError extends Error {}

const must = (expected: string): never => {
  throw new SettingError(expected);
};

export const text: Reader<string> = (value) => value;

export const word: Reader<string> = (value) =>
  /^[\w-]{1,32}$/.test(value) ? value : must('1 to 32 letters, digits, - and _');

export const oneOf =
  <const T extends readonly string[]>(choices: T): Reader<T[number]> =>
  (value) =>
    choices.includes(value.toLowerCase())
      ? (value.toLowerCase() as T[number])
      : must(`one of ${choices.join(', ')}`);

export const onOff: Reader<boolean> = (value) => {
  if (/^(on|true|1|yes)$/i.test(value)) return true;
  return /^(off|false|0|no)$/i.test(value) ? false : must('on or off');
};

export const wholeNumber =
  (min: number, max: number): Reader<number> =>
  (value) => {
    const n = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return n >= min && n <= max ? n : must(`a whole number from ${min} to ${max}`);
  };

export const pathPrefix: Reader<string> = (value) => {
  const trimmed = value.replace(/\/+$/, '');
  return trimmed === '' || /^(\/[\w.-]+)+$/.test(trimmed) ? trimmed : must('a path such as /api');
};

export const headerPrefix: Reader<string> = (value) =>
  /^[A-Za-z][A-Za-z0-9]{0,15}$/.test(value) ? value : must('1 to 16 letters and digits, a letter first');

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

export const url =
  (...protocols: readonly string[]): Reader<string> =>
  (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed === undefined || !protocols.includes(parsed.protocol))
      return must(`an address that begins with ${protocols.join(' or ')}`);
    return isDecodable(`${parsed.username}${parsed.password}`)
      ? value
      : must('an address whose user and password are percent-encoded');
  };

/** Its only option is checked, so that a misspelt one is not a connection in the clear. */
export const smtpUrl: Reader<string> = (value) => {
  const { search, hostname } = new URL(url('smtp:', 'smtps:')(value));
  return hostname !== '' && /^$|^\?requireTLS=(true|false)$/.test(search)
    ? value
    : must('an address such as smtp://user:password@host:587, with no option but ?requireTLS=true');
};

export const mailAddress: Reader<string> = (value) =>
  isMailAddress(value) ? value : must('a mail address such as linekeeper@example.com');

/** Months have no fixed length, and so no place here. */
export const durationMs: Reader<number> = (value) => {
  const duration = parseDuration(value);
  return duration !== undefined && duration.months === 0 && duration.ms > 0
    ? duration.ms
    : must('a duration such as PT1H or P1D');
};

export const list =
  <T>(item: Reader<T>): Reader<readonly T[]> =>
  (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item);

/** A count of hops, on/off, or the addresses of the proxies, as Fastify's `trustProxy` takes them. */
export const trustProxy: Reader<boolean | number | string> = (value) => {
  if (/^\d$/.test(value)) return Number(value);
  if (/^(on|off|true|false)$/i.test(value)) return onOff(value);
  return /^[0-9A-Fa-f.:/, ]+$/.test(value) || /^(loopback|linklocal|uniquelocal)(,|$)/.test(value)
    ? value
    : must('on, off, a number of hops, or a list of addresses');
};

export const secretText =
  (lengthMin: number): Reader<string> =>
  (value) =>
    value.length >= lengthMin ? value : must(`at least ${lengthMin} characters long`);
