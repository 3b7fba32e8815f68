/** A number with more digits than JavaScript keeps; `JSON.stringify` writes the original digits. */
interface ExactNumber {
  readonly rawJSON: string;
}

/** Supported by current browsers but missing from TypeScript's types. */
interface ExactJson {
  readonly rawJSON?: (text: string) => ExactNumber;
  readonly isRawJSON?: (value: unknown) => value is ExactNumber;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
}
const json: ExactJson = JSON;

export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON?.(value) === true;

/** Without browser support, long numbers are rounded as usual in JavaScript. */
export const parseExactly = (text: string): unknown =>
  json.parse(text, (_, value, context) => {
    const source = context?.source;
    const isWhole = typeof value !== 'number' || Number.isSafeInteger(value) || String(value) === source;
    return isWhole || source === undefined ? value : (json.rawJSON?.(source) ?? value);
  });

/** The user's text is not a JSON object. */
export class NotAnObject extends Error {}

export function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw new NotAnObject();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value))
    throw new NotAnObject();
  return value as Record<string, unknown>;
}
