/** A number with more digits than a JavaScript number keeps. JSON.stringify writes it as it came. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** With fewer digits every number comes out of JSON.parse as it went in. A number stands behind one of these signs, or alone. */
const MANY_DIGITS = /(?:^|[[:,])\s*-?[0-9.]{16}/;

/** Cheap, and never false where a number would lose digits. */
export const mayLoseDigits = (text: string): boolean => MANY_DIGITS.test(text);

/** Longer ones, and those with an exponent, can be more than any database takes as a number. */
const PLAIN = /^-?[0-9.]{1,1000}$/;

/** Without the zeros at its end that add nothing to it. */
const bare = (source: string): string => (source.includes('.') ? source.replace(/\.?0+$/, '') : source);

/** Numbers that would lose digits stay as they are written; everything else is what JSON.parse makes of it. */
export const parseExactly = (text: string): unknown =>
  mayLoseDigits(text)
    ? JSON.parse(text, (_, value, { source }) =>
        typeof value === 'number' &&
        source !== undefined &&
        String(value) !== bare(source) &&
        PLAIN.test(source)
          ? JSON.rawJSON(source)
          : value,
      )
    : JSON.parse(text);

const MAY_BE_TOO_LARGE = /(?:^|[[:,])\s*-?(?:[0-9]{200}|[0-9.]+e\+?[0-9]{2})/i;

/** Whether a number in the text is beyond what JavaScript knows: it would be written as null. */
export function hasInfinity(text: string): boolean {
  let found = false;
  if (MAY_BE_TOO_LARGE.test(text))
    JSON.parse(text, (_, value) => {
      found ||= value === Infinity || value === -Infinity;
      return value;
    });
  return found;
}

/** Digits as a JSON integer, however many there are; leading zeros have no place in one. */
export const exactInteger = (digits: string): ExactNumber => JSON.rawJSON(BigInt(digits).toString());

/** What a caller wrote as text or number, as text; undefined when it is neither. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}
