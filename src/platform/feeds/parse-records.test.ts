import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FeedError } from '../http/body-stream.ts';
import { type ParseRecord, parseRecords, type RecordBatch } from './parse-records.ts';

const anything: ParseRecord<unknown> = (record) => ({ record });
const LIMITS = { recordsMax: 10, charsMax: 1_000 };

async function* chunksOf(body: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

interface ReadOptions {
  readonly size?: number;
  readonly limits?: Parameters<typeof parseRecords>[2];
  readonly read?: ParseRecord<unknown>;
}

async function readAll(
  body: string | Buffer,
  { size = 7, limits = LIMITS, read = anything }: ReadOptions = {},
) {
  const batches: RecordBatch<unknown>[] = [];
  let broken: unknown;
  try {
    for await (const batch of parseRecords(chunksOf(body, size), read, limits)) batches.push(batch);
  } catch (error) {
    broken = error;
  }
  return {
    batches,
    broken,
    records: batches.flatMap((batch) => batch.records),
    rejected: batches.flatMap((batch) => batch.rejected),
  };
}

const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 30 });

describe('a feed of records', () => {
  it('gives the same records as lines and as an array, wherever its bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 50 }), fc.boolean(), async (given, size, pretty) => {
        const usual = given.filter(
          (value) => !('specversion' in value) && !JSON.stringify(value).includes('\ufffd'),
        );
        const expected = JSON.parse(JSON.stringify(usual));
        const lines = await readAll(usual.map((value) => JSON.stringify(value)).join('\r\n'), { size });
        const array = await readAll(`\ufeff ${JSON.stringify(usual, null, pretty ? 2 : 0)}\n`, { size });
        for (const { records, broken } of [lines, array]) {
          assert.equal(broken, undefined);
          assert.deepEqual(
            records.map(({ record }) => record),
            expected,
          );
          assert.deepEqual(
            records.map(({ line }) => line),
            expected.map((_: unknown, i: number) => i + 1),
          );
        }
      }),
      { numRuns: 100 },
    ));

  it('is read in batches that end at a number of records or characters', async () => {
    const small = await readAll(Array.from({ length: 25 }, () => '{}').join('\n'));
    assert.deepEqual(
      small.batches.map(({ records }) => records.length),
      [10, 10, 5],
    );
    const large = await readAll(Array.from({ length: 3 }, () => `{"a":"${'x'.repeat(600)}"}`).join('\n'));
    assert.deepEqual(
      large.batches.map(({ records }) => records.length),
      [2, 1],
    );
  });

  it('is not read further before the batch is processed', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield Buffer.from('{}\n');
      }
    }
    const batches = parseRecords(endless(), anything, LIMITS);
    await batches.next();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(given, 10);
    await batches.return(undefined);
  });

  it('breaks off after its largest number of lines or bytes, and keeps the records before', async () => {
    const five = '{"a":1}\n'.repeat(5);
    const blank = '\n'.repeat(20);
    const [lines, bytes] = [
      { ...LIMITS, linesMax: 5 },
      { ...LIMITS, bytesMax: 40 },
    ];
    for (const [body, limits, kept, why] of [
      [five, lines, 5, undefined],
      [`${five}{}`, lines, 5, 'has more than 5 lines'],
      [`[${five.trim().replaceAll('\n', ',')},{}]`, lines, 5, 'has more than 5 lines'],
      [`${five.slice(8)}${blank}`, lines, 4, 'has more than 5 lines'],
      [blank, lines, 0, 'has more than 5 lines'],
      [five, bytes, 5, undefined],
      [`${five}{}`, bytes, 5, 'has more than 40 bytes'],
    ] as const) {
      const { records, broken } = await readAll(body, { limits, size: 8 });
      assert.deepEqual([records.length, (broken as Error | undefined)?.message], [kept, why], body);
    }
  });

  it('numbers its lines from the first, even if many of them are blank', async () => {
    const { records } = await readAll(`${'\n'.repeat(20)}{}`, { size: 4 });
    assert.deepEqual(
      records.map(({ line }) => line),
      [21],
    );
  });

  it('loses only the records that cannot be parsed', async () => {
    const lines = [
      '{"a":1}',
      'no json',
      '',
      `{"long":"${'x'.repeat(70_000)}"}`,
      '['.repeat(300) + ']'.repeat(300),
      '{"a":"\\u0000"}',
      '{"a":2}',
    ];
    const body = Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n{"a":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const { records, rejected, broken } = await readAll(body, { size: 1_000 });
    assert.equal(broken, undefined);
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 7],
    );
    assert.deepEqual(
      rejected.map(({ line, reason }) => [line, reason.slice(0, 21)]),
      [
        [2, 'is not valid JSON'],
        [4, 'is longer than 65536 '],
        [5, 'is nested too deep'],
        [6, 'text with U+0000 or h'],
        [8, 'has bytes that are no'],
      ],
    );
  });

  it('skips an array element that is too long and continues after it', async () => {
    const { records, rejected } = await readAll(`[{"a":"${'[,]'.repeat(30_000)}"}, {"a":2}]`, {
      size: 1_000,
    });
    assert.deepEqual([records.length, rejected[0]?.line, records[0]?.line], [1, 1, 2]);
  });

  it('reports that it broke off after the records before that point', async () => {
    for (const [body, count] of [
      ['[{}, {}', 1],
      ['[{}, {}] {}', 2],
      ['[{},, {}]', 1],
      ['[{}, ]', 1],
    ] as const) {
      const { records, broken } = await readAll(body);
      assert.ok(broken instanceof FeedError, body);
      assert.equal(records.length, count, body);
    }
  });

  // proves usage/cloudevents
  it('of CloudEvents gives their data, with the id and time of the event if the data have none', async () => {
    const event = { specversion: '1.0', id: 'e1', time: '2026-01-01T00:00:00Z', type: 't', source: 's' };
    const body = JSON.stringify([
      { ...event, data: { bytes: 1 } },
      { ...event, data: { id: 'own', at: 'then' } },
    ]);
    assert.deepEqual(
      (await readAll(body)).records.map(({ record }) => record),
      [
        { id: 'e1', at: '2026-01-01T00:00:00Z', bytes: 1 },
        { id: 'own', at: 'then' },
      ],
    );
  });
});
