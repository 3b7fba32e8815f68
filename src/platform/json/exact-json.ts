/** A number with more digits than a JavaScript number holds. JSON.stringify writes it unchanged. */
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

/** JSON.parse keeps every number with fewer digits. A number follows one of these characters, or stands alone. */
const MANY_DIGITS = /(?:^|[[:,])\s*-?[0-9.]{16}/;

/** Cheap, and never false if a number would lose digits. */
export const mayLoseDigits = (text: string): boolean => MANY_DIGITS.test(text);

/** Longer numbers, and those with an exponent, may exceed what any database accepts as a number. */
const PLAIN = /^-?[0-9.]{1,1000}$/;

/** Without redundant zeros at the end. */
const bare = (source: string): string => (source.includes('.') ? source.replace(/\.?0+$/, '') : source);

/** Numbers that would lose digits keep their text; JSON.parse handles everything else. */
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

/** Whether a number in the text is beyond the range of JavaScript: it would be written as null. */
export function hasInfinity(text: string): boolean {
  let found = false;
  if (MAY_BE_TOO_LARGE.test(text))
    JSON.parse(text, (_, value) => {
      found ||= value === Infinity || value === -Infinity;
      return value;
    });
  return found;
}

/** Any number of digits as a JSON integer, without leading zeros. */
export const exactInteger = (digits: string): ExactNumber => JSON.rawJSON(BigInt(digits).toString());

/** A number in plain decimal digits, for JSON.stringify: one that a JavaScript number cannot hold keeps them all. */
export function exactNumber(digits: string): number {
  const number = Number(digits);
  return String(number) === bare(digits) ? number : (JSON.rawJSON(bare(digits)) as unknown as number);
}

/** Text or a number from a caller, as text; undefined if it is neither. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}
