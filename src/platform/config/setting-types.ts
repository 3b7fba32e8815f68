import { closeSync, openSync, readSync } from 'node:fs';
import { type StaticDecode, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseDuration } from '../../kernel/duration.ts';
import { isMailAddress } from '../../kernel/mail-address.ts';

/** Text for which `check` is true; `expected` completes "NAME must be …". */
const textThat = (check: (text: string) => boolean, expected: string) =>
  Type.Refine(Type.String(), check, () => expected);
const matching = (pattern: RegExp, expected: string) => textThat((text) => pattern.test(text), expected);

export const anyText = Type.String();
export const onOff = Type.Boolean();
export const oneOf = <const T extends string[]>(choices: readonly [...T]) => Type.Enum(choices);
export const wholeNumber = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const seconds = (minimum: number, maximum: number) =>
  Type.Decode(wholeNumber(minimum, maximum), (count) => count * 1_000);
export const listOf = <T extends TSchema>(item: T) => Type.Array(item);

export const word = matching(/^[\w-]{1,32}$/, '1 to 32 letters, digits, - and _');
export const headerPrefix = matching(
  /^[A-Za-z][A-Za-z0-9]{0,15}$/,
  '1 to 16 letters and digits, a letter first',
);
export const hostName = matching(
  /^(?=.{1,253}$)[\w-]+(?:\.[\w-]+)*$|^[\da-fA-F]*:[\da-fA-F:.]+$/,
  'a host name without port',
);
export const pathPrefix = Type.Decode(matching(/^((\/[\w.-]+)+\/*|\/*)$/, 'a path such as /api'), (path) =>
  path.replace(/\/+$/, ''),
);
export const secretText = (lengthMin: number) =>
  textThat(({ length }) => length >= lengthMin, `at least ${lengthMin} characters long`);
export const mailAddress = textThat(isMailAddress, 'a mail address such as linekeeper@example.com');

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(`${username}${password}`) !== undefined;
  } catch {
    return false;
  }
}

const url = (...protocols: readonly string[]) =>
  Type.Refine(
    textThat(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `an address that begins with ${protocols.join(' or ')}`,
    ),
    (text) => !URL.canParse(text) || isDecodable(new URL(text)),
    () => 'an address whose user and password are percent-encoded',
  );

export const httpUrl = url('http:', 'https:');
export const postgresUrl = url('postgres:', 'postgresql:');

const isAddress = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);

/** The first bytes of a PMTiles file of version 3. */
const TILES_BEGIN = 'PMTiles\u0003';
function beginsAsTiles(file: string): boolean {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(TILES_BEGIN.length);
      readSync(opened, bytes);
      return bytes.toString('latin1') === TILES_BEGIN;
    } finally {
      closeSync(opened);
    }
  } catch {
    return false;
  }
}

/** Checked at the start, so that a wrong file is not first noticed in a browser. */
export const mapStyle = textThat(
  (text) => isAddress(text) || beginsAsTiles(text),
  'the http or https address of a MapLibre style, or the name of a PMTiles file of version 3 that can be read',
);

/** The only option is checked, because a misspelt one would lead to an unencrypted connection. */
export const smtpUrl = Type.Refine(
  url('smtp:', 'smtps:'),
  (text) => {
    const { hostname, search } = URL.canParse(text) ? new URL(text) : { hostname: '', search: '' };
    return hostname !== '' && /^$|^\?requireTLS=(true|false)$/.test(search);
  },
  () => 'an address such as smtp://user:password@host:587, with no option but ?requireTLS=true',
);

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
export const dateTime = Type.Decode(
  textThat(
    (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
    'a day or a time with its zone, such as 2026-12-01T08:00:00Z',
  ),
  (text) => new Date(text),
);

const durationMs = (text: string): number | undefined => {
  const duration = parseDuration(text);
  return duration?.months === 0 && duration.ms > 0 ? duration.ms : undefined;
};
/** In milliseconds. Months are refused, because they have no fixed length. */
export const duration = Type.Decode(
  textThat((text) => durationMs(text) !== undefined, 'a duration such as PT1H or P1D'),
  (text) => durationMs(text)!,
);

const SWITCH = /^(on|off|true|false)$/i;
/** A count of hops, on/off, or the addresses of the proxies, as Fastify's `trustProxy` takes them. */
export const trustProxy = Type.Decode(
  textThat(
    (text) => SWITCH.test(text) || /^[0-9A-Fa-f.:/, ]+$|^(loopback|linklocal|uniquelocal)(,|$)/.test(text),
    'on, off, a number of hops, or a list of addresses',
  ),
  (text): boolean | number | string => {
    if (/^\d$/.test(text)) return Number(text);
    return SWITCH.test(text) ? toValue(onOff, text) === true : text;
  },
);

interface Keywords {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: TSchema;
}

/** The value of a variable's text, or the text itself if it is not valid for the type. */
function toValue(schema: TSchema, text: string): unknown {
  const { type, enum: choices, items } = schema as Keywords;
  if (choices !== undefined) return text.toLowerCase();
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'boolean')
    return /^(on|true|1|yes)$/i.test(text) || (/^(off|false|0|no)$/i.test(text) ? false : text);
  if (items === undefined) return text;
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => toValue(items, part));
}

function expectedBy(schema: TSchema): string {
  const { type, enum: choices, minimum, maximum, items } = schema as Keywords;
  if (items !== undefined) return expectedBy(items);
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  return type === 'boolean' ? 'on or off' : `a whole number from ${minimum} to ${maximum}`;
}

/** The value, or the words that complete "NAME must be …". */
export function parseText<T extends TSchema>(
  schema: T,
  text: string,
): { readonly value: StaticDecode<T> } | { readonly expected: string } {
  const value = toValue(schema, text);
  // Every start parses all settings, and most need no more than a check.
  if (Value.Check(schema, value))
    return { value: Value.HasCodec(schema) ? Value.Decode(schema, value) : (value as StaticDecode<T>) };
  const [error] = Value.Errors(schema, value);
  return { expected: error?.keyword === '~refine' ? error.message : expectedBy(schema) };
}

/** The variable, its type, its meaning, and its default. */
export type Row = readonly [name: string, type: TSchema, meaning: string, fallback?: string];
export type Table = Readonly<Record<string, Row>>;
