import { hideInAddresses, isSecretName, SECRET_IN_TEXT } from './secrets.ts';

const HIDDEN = '[redacted]';

const PERSONAL =
  'mdn|msisdn|imei|imeisv|imsi|iccid|meid|esn|eid|tel|phones?|(?:sms)?phone_?numbers?|lat|lon|lng|latitude|longitude|coordinates|e?mail_?address(?:es)?|emails?';
/** Short words that are personal as the name of a field, but may mean anything in a sentence. */
const PERSONAL_NAME = 'min|x|y|position';

const PERSONAL_FIELD = new RegExp(`^(?:${PERSONAL}|${PERSONAL_NAME})$`, 'i');
const isHiddenField = (field: string) => isSecretName(field) || PERSONAL_FIELD.test(field);
/** Large numbers that are not personal. */
const MEASURE_FIELD = /(?:Ms|Seconds|Bytes|Count)$/;

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const OWN_SECRET = /\b(?:whsec_|lk_op_)[\w+/=-]+/g;
/** A header contains several values with spaces between them. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\*["']?\s*[:=])[^\r\n]*/gi;
/**
 * A field inside of text: `a=b`, `a: b`, or JSON that became a string, once or several times over. Its value ends with the
 * quote it began with. For an object, or text that was cut off, a pattern cannot find the end: everything after it is
 * hidden.
 */
const VALUE = [
  String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|$)`,
  String.raw`(\\+)"[\s\S]*?(?:(?<!\\)\3"|$)`,
  "'[^']*(?:'|$)",
  String.raw`[{[][\s\S]*`,
  String.raw`[^\s&;,"'\\{}[\]()]+`,
].join('|');
const FIELD_IN_TEXT = new RegExp(
  String.raw`(?<![\w-])((?:${SECRET_IN_TEXT}|${PERSONAL})(?=\\*["']?\s*[:=])|(?:${PERSONAL_NAME})(?=\\*"\s*:))(\\*["']?\s*[:=]\s*)(?:${VALUE})`,
  'gi',
);
const COORDINATE_IN_TEXT = /\b(lat|lon|lng|latitude|longitude)\s+-?\d[\d.e+-]*/gi;
const COORDINATES =
  /(?<![\w.])-?\d{1,3}\.(?:\d{2,}\s*[,;]\s*-?\d{1,3}\.\d{2,}|\d{3,}\s*[/ ]\s*-?\d{1,3}\.\d{3,})(?![\w.])/g;

/** Identifiers, account names and times also consist of digits, and stay visible. */
const KEPT = [
  String.raw`(?<!\w)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\w)`,
  String.raw`(?<![\w-])\d{10}-\d{5}(?![\w-])`,
  String.raw`(?<![\w-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\w)`,
].join('|');
const NUMBERS = [
  // Ten digits or more: a phone number, an IMEI, a SIM. Excludes the decimals of a fraction.
  String.raw`(?<!\w|\d\.)\+?\d{10,}(?!\w)`,
  String.raw`(?<!\w)\+\d[\d ().-]{7,}\d(?!\w)`,
  String.raw`(?<![\w.])(?:\d{1,3}[ .-])?(?:\(\d{3}\)[ .-]?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\w)`,
].join('|');
const KEPT_OR_NUMBER = new RegExp(`(${KEPT})|${NUMBERS}`, 'gi');

/** Most texts in a log are one of these, or a word or two; only suspicious text goes through all patterns. */
const WHOLLY_KEPT = new RegExp(`^(?:${KEPT})$`, 'i');
const SUSPICIOUS = /[=:@%]|\d{3}|\d\.\d|lat|lon|lng|bearer|basic|whsec_|lk_op_/i;

function redactText(text: string): string {
  if (!SUSPICIOUS.test(text) || WHOLLY_KEPT.test(text)) return text;
  return hideInAddresses(text, HIDDEN)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(OWN_SECRET, HIDDEN)
    .replace(HEADER, `$1$2${HIDDEN}`)
    .replace(FIELD_IN_TEXT, `$1$2${HIDDEN}`)
    .replace(COORDINATE_IN_TEXT, `$1 ${HIDDEN}`)
    .replace(COORDINATES, HIDDEN)
    .replace(KEPT_OR_NUMBER, (_, kept: string | undefined) => kept ?? HIDDEN);
}

const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value);

function redactValue(value: unknown, field: string): unknown {
  if (isHiddenField(field)) return HIDDEN;
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return Math.abs(value) >= 1e9 && !MEASURE_FIELD.test(field) ? HIDDEN : value;
  if (Array.isArray(value)) {
    // Two fractions, perhaps with a height: a position in GeoJSON.
    if ((value.length === 2 || value.length === 3) && value.slice(0, 2).every(isFraction)) return HIDDEN;
    return value.map((item) => redactValue(item, ''));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redactText(key), redactValue(inner, key)]),
  );
}

/**
 * The last check before a line is written, so that secrets stay hidden even if a caller forgets to hide them. It parses the
 * finished line, including everything that a child logger or serialiser added, and writes it again, so that the output is
 * valid JSON. pino has already limited its depth.
 */
export function redactLine(line: string): string {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    fields = { level: 'error', msg: line };
  }
  return `${JSON.stringify(redactValue(fields, ''))}\n`;
}
