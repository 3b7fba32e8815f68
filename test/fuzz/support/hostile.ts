import fc from 'fast-check';
import { anyText } from '../../support/any-text.ts';

/** Becomes a number in the body that no double can hold; JSON.stringify could not write it. */
export const BEYOND_DOUBLE = '\ue0021e400';

const TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\ufeff', '\uffff', '\u202eabc', '\u2028'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'],
  ...["'; drop table device; --", "' or '1'='1", '$1', '%s%n', '\\', '";', '#{7*7}', '{{7*7}}', '%', '_'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '../../../../etc/passwd', '..\\..\\x'],
  ...['null', 'undefined', 'NaN', 'Infinity', '-0', '1e400', '0x10', '1_000', '٣', '１２３', 'true', '-1'],
  ...['9'.repeat(19), '9'.repeat(40), '9223372036854775808', '-9223372036854775809', '2147483648'],
  ...['9999-12-31T23:59:59Z', '0000-00-00', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z'],
  ...['2026-02-30', '2026-13-01', '02-30-2026', '2026-01-05T00:00:00+99:99', '294277-01-01', '0001-01-01'],
  ...['😀'.repeat(20), 'ﷺ', 'Ａ', 'i̇', 'ß', 'e\u0301'.repeat(50), 'a\r\nset-cookie: x=1', '\t'],
  ...['0000800001-00001', '0000700001-00001', '0000000000-00000', '-', '0'.repeat(33)],
  ...['a'.repeat(256), 'a'.repeat(1_025), 'b'.repeat(70_000), `${'a@'.repeat(40)}b.example`, 'a@b'],
  ...['http://[::1', 'http://127.0.0.1:99999', 'file:///etc/passwd', 'javascript:alert(1)', 'http://u:p@/'],
  ...[
    'eyJhbGciOiJub25lIn0.e30.',
    'AAAA',
    'bnVsbA',
    'W10',
    'eyJhdCI6MX0',
    '00000000-0000-0000-0000-000000000000',
  ],
];

const NUMBERS = [
  ...[0, -0, -1, 1, 0.5, 1e21, -1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 31],
  ...[2 ** 63, -(2 ** 31) - 1, 99_999, 1e9],
];

const nested = (levels: number, inner: unknown): unknown => {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** An own key, as in JSON: a literal would set the prototype. */
const ownKey = (key: string, value: unknown): object => Object.fromEntries([[key, value]]);

const STRUCTURES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], { length: 1e9 }, Array.from({ length: 300 }, () => 'x')],
  ownKey('__proto__', { admin: true }),
  ownKey('constructor', { prototype: { admin: true } }),
  ownKey('toJSON', 1),
  ownKey('', ''),
  ownKey('a\u0000b', 1),
  ownKey('\ud800', 1),
  ownKey('$selection', { $gt: '' }),
  nested(50, 1),
  nested(198, 1),
  nested(300, 1),
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: anyText({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS, BEYOND_DOUBLE) },
  { weight: 2, arbitrary: fc.constantFrom(...STRUCTURES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

export const hostileKey: fc.Arbitrary<string> = fc.constantFrom(
  ...['__proto__', 'constructor', 'toString', '', 'a\u0000b', '\ud800', 'x'.repeat(5_000), 'unknown'],
);

/** Raw pieces of an address that encoding would never produce. */
export const brokenPiece: fc.Arbitrary<string> = fc.constantFrom(
  ...['%', '%zz', '%80', '%00', '%c0%af', '%ff%fe', '%ed%a0%80', '%u0041', '..', '.', '%2e%2e', '..%2f..%2f'],
  ...[
    '%252e',
    '%2F',
    '%5c',
    ';',
    ';a=b',
    '*',
    '%0d%0aset-cookie:x',
    '~',
    '{}',
    '%7b%7d',
    'a%20',
    '%e2%80%ae',
  ],
);

export const brokenQuery: fc.Arbitrary<string> = fc.constantFrom(
  ...['&', '&&==', '&a', '&=1', '&%zz=1', '&limit=%', '&__proto__=1', '&__proto__[x]=1', '&constructor=1'],
  ...['&limit[]=1', '&page=1&page=2', '&limit=1&limit=2', '&accountName=0&accountName=1', '?x=1', '#x', '&;'],
);

export const brokenBody: fc.Arbitrary<string | Buffer> = fc.constantFrom<string | Buffer>(
  ...[
    '',
    ' ',
    '{',
    '[',
    '[]',
    'null',
    '"x"',
    '0',
    '1e400',
    '-',
    'NaN',
    '{}{}',
    '\ufeff{}',
    '{"a":1,}',
    "{'a':1}",
  ],
  ...[
    '{"a":1e400}',
    '{"a":01}',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    '[1]',
    '[null]',
    '[[]]',
    '{"a":"\u0000"}',
  ],
  ...['['.repeat(10_000), '{"a":'.repeat(5_000), `"${'x'.repeat(200_000)}"`, 'grant_type=client_credentials'],
  ...[
    '{"accountName":"a","accountName":"b"}',
    '{"__proto__":null}',
    '\n\n{}\n',
    '{"id":1}\n{"id":2}\n\u0000\n',
  ],
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
);
