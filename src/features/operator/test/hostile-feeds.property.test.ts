import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { casesOf } from '../../../../test/support/cases.ts';
import { sql } from '../../../platform/db/sql.ts';
import { ACCOUNT, ECPD, makeFeedWorld, NOON } from '../../usage/test/feed.ts';

const world = await makeFeedWorld();
const RUNS = casesOf({ everyday: 15, all: 40 });
const GOOD_LINES = 8;
const imei = (n: number) => `9822222222${String(n).padStart(5, '0')}`;
/** The device of the hostile records. */
const HOSTILE = imei(99);
await world.import({
  devices: [...Array.from({ length: GOOD_LINES }, (_, n) => imei(n)), HOSTILE].map((one) => ({
    accountName: ACCOUNT,
    imei: one,
    servicePlan: 'P-5MB',
  })),
});
await world.ctx.db.exec(sql`
  insert into rule (ecpd_id, account_name, rule_id, device_id, record, foreign_id, created_on, last_updated, version, version_id)
  select ${ECPD}, ${ACCOUNT}, gen_random_uuid(), device_id,
    ${{ name: 'hot', rulesyntax: 'json', rulechain: { when: { '>': [{ var: 't' }, 30] } } }}, gen_random_uuid(), ${NOON}, ${NOON}, 1, gen_random_uuid()
  from device where imei = ${HOSTILE}`);
await world.watcher.settle();

const NUMBERS = [
  ...[
    -0,
    0,
    -1,
    1.5,
    5e-324,
    1e-13,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 50,
    2 ** 50 + 1,
    2 ** 53,
    2 ** 63,
    1e12,
    1e21,
  ],
];
const TIMES = [
  ...[
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
  ],
  ...[
    '+275760-09-13T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-15T24:00:00Z',
    '2026-01-15T23:59:60Z',
    'Infinity',
  ],
  ...['2026-01-15T11:59:59.9999999Z', '2026-01-15T12:04:00Z', '1970-01-01T00:00:00Z', '2026-01-15t08:00:00z'],
];
const TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff!', '𝕏', '\u202e', '\ufeff', '\ufffd', 'x'.repeat(200)],
  ...[
    'ﷺ'.repeat(5_000),
    "'; drop table device; --",
    '%00',
    '__proto__',
    'constructor',
    '{}',
    '\\',
    'NaN',
    '1e400',
  ],
  ...['IMEI', 'mdn', 'eid', 'fota', 'precise'],
];
const anything = fc.oneof(
  fc.constantFrom<unknown>(...[null, true, [], {}, [[]]], ...NUMBERS, ...TIMES, ...TEXTS),
  fc.jsonValue(),
  anyText(),
  fc.double(),
);
const number = fc.constantFrom(...NUMBERS);
const text = fc.constantFrom(...TEXTS);
const NAMES = [
  ...[
    'id',
    'kind',
    'device',
    'at',
    'bytes',
    'apn',
    'ratingGroup',
    'countryCode',
    'chargeAmount',
    'serviceName',
  ],
  ...['lat', 'lon', 'radius', 'accuracy', 'values', 'specversion', 'data', 'time'],
];
/** Mostly nearly valid values: plainly wrong ones are refused before they can do harm. */
const changes: fc.Arbitrary<object> = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), anything, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  fc.record({ at: fc.constantFrom(...TIMES) }),
  fc.record({ bytes: number, chargeAmount: number }, { requiredKeys: [] }),
  fc.record({ id: text, apn: text, ratingGroup: text, countryCode: text }, { requiredKeys: [] }),
  fc.record({ lat: number, lon: number, radius: number }, { requiredKeys: [] }),
  fc.record({ values: fc.dictionary(fc.oneof(text, fc.constant('t')), anything, { noNullPrototype: true }) }),
);
/** Text that no JSON serialiser would write. */
const rawLines = fc.constantFrom(
  ...[
    '{',
    '[1]',
    '"text"',
    '1e999',
    '{"id":"a"}{"id":"b"}',
    '\u0000',
    `${'['.repeat(300)}${']'.repeat(300)}`,
  ],
  ...[
    '"bytes":12345678901234567890',
    '"bytes":1e2',
    '"bytes":-0',
    '"bytes":1e400',
    '"chargeAmount":1e-400',
  ].map(
    (member) =>
      `{"id":"r${member}","kind":"imei","device":"${HOSTILE}","at":"2026-01-15T08:00:00Z","bytes":1,${member}}`,
  ),
  ...[
    '"chargeAmount":999999999999.999999999999',
    '"chargeAmount":1E12',
    '"lat":1e-320',
    '"values":{"t":1e999}',
  ].map(
    (member) =>
      `{"id":"r${member}","kind":"imei","device":"${HOSTILE}","at":"2026-01-15T08:00:00Z","bytes":1,"lat":1,"lon":1,${member}}`,
  ),
);

const OWN = {
  usage: (n: number) => ({ id: `good ${n}`, bytes: n, chargeAmount: 0.000_000_5 }),
  positions: (n: number) => ({ lat: (n % 180) - 90, lon: n % 180, radius: 0.5 }),
  readings: (n: number) => ({ values: { t: n } }),
} as const;

interface Fed {
  readonly accepted: number;
  readonly duplicates?: number;
  readonly late?: number;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejectedTotal: number;
}

// proves usage/rejected-records
describe('whatever records contain', () => {
  for (const feed of ['usage', 'positions', 'readings'] as const)
    it(`POST /${feed} answers 200, rejects each wrong record with a known reason, and accepts every valid one`, async () => {
      let made = 0;
      const good = () => {
        const n = ++made;
        const at = new Date(NOON.getTime() - 3_600_000 + n).toISOString();
        return JSON.stringify({ kind: 'imei', device: imei(n % GOOD_LINES), at, ...OWN[feed](n) });
      };
      const spoilt = (change: object) => {
        const n = ++made;
        const whole = {
          id: `spoilt ${n}`,
          kind: 'imei',
          device: HOSTILE,
          at: '2026-01-15T08:00:00Z',
          bytes: 1,
        };
        return JSON.stringify({ ...whole, ...OWN[feed](n), id: `spoilt ${n}`, ...change });
      };
      const line = fc.oneof(
        { weight: 2, arbitrary: fc.constant('good' as const) },
        { weight: 1, arbitrary: fc.constant('twice' as const) },
        { weight: 4, arbitrary: changes },
        { weight: 1, arbitrary: rawLines.map((raw) => ({ raw })) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async (drawn) => {
          const kept: string[] = [];
          // The first record decides how the body is read, so it must not begin an array.
          const lines = (['good', ...drawn] as const).map((one) => {
            if (one === 'good') return kept[kept.push(good()) - 1]!;
            if (one === 'twice') return kept.at(-1) ?? good();
            return 'raw' in one ? String(one.raw) : spoilt(one);
          });
          const answer = await world.operator('POST', `/${feed}`, lines.join('\n'));
          assert.equal(answer.statusCode, 200, answer.body);
          const fed: Fed = answer.json();
          const counted = fed.accepted + (fed.duplicates ?? 0) + (fed.late ?? 0) + fed.rejectedTotal;
          assert.equal(counted, lines.length, answer.body);
          for (const { line, reason } of fed.rejected) {
            assert.ok(!kept.includes(lines[line - 1]!), `${reason}: ${lines[line - 1]}`);
            assert.doesNotMatch(reason, /could not be taken/, lines[line - 1]);
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
});
