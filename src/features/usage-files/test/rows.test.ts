import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { splitLine } from '../csv-line.ts';
import { parseMapping } from '../mapping.ts';
import { momentReader } from '../moment.ts';
import { bytesOf } from '../volume.ts';

function drawsOf(name: string): (below: number) => number {
  const { between } = randomFor(name);
  return (below) => between(0, below - 1);
}

describe('a line of CSV', () => {
  it('returns the written values, whatever they contain', () => {
    const random = drawsOf('lines of CSV');
    const letters = ['a', '"', ',', ';', ' ', 'é', '1', "'", '\\', '\t'];
    for (let n = 0; n < 5_000; n++) {
      const delimiter = [',', ';', '\t'][random(3)]!;
      const values = Array.from({ length: 1 + random(5) }, () =>
        Array.from({ length: random(6) }, () => letters[random(letters.length)]).join(''),
      );
      const line = values
        .map((value) =>
          value.includes('"') || value.includes(delimiter) || random(4) === 0
            ? `"${value.replaceAll('"', '""')}"`
            : value,
        )
        .join(delimiter);
      assert.deepEqual(splitLine(line, delimiter), values, line);
    }
  });

  it('is refused if a quote does not end, or text follows it', () => {
    for (const line of ['"a', 'a,"b', '"a"b,c', '"a""', 'a,"b""c'])
      assert.equal(splitLine(line, ','), undefined, line);
  });
});

describe('a moment', () => {
  it('is parsed in every form that network elements write', () => {
    const read = momentReader('Europe/Berlin');
    const noon = '2026-01-15T12:00:00.000Z';
    for (const text of [
      '2026-01-15T12:00:00Z',
      '2026-01-15 13:00:00+0100',
      '2026-01-15T13:00:00.000+01:00',
      '2026-01-15 13:00:00',
      '2026-01-15T13:00',
      '20260115130000',
      '1768478400',
      '1768478400000',
    ])
      assert.equal(read(text), noon, text);
  });

  it('is refused if the calendar or clock has no such time', () => {
    const read = momentReader();
    for (const text of [
      '2026-02-30 10:00:00',
      '20261301000000',
      '2026-01-15 25:00:00',
      'yesterday',
      '',
      '12',
    ])
      assert.equal(read(text), undefined, text);
  });

  it('is the first of two when clocks are set back, and none is lost when they are set forward', () => {
    const read = momentReader('America/New_York');
    assert.equal(read('2026-11-01 01:30:00'), '2026-11-01T05:30:00.000Z');
    assert.equal(read('2026-03-08 02:30:00'), '2026-03-08T07:30:00.000Z');
    assert.equal(read('2026-03-08 03:30:00'), '2026-03-08T07:30:00.000Z');
  });

  it('is the moment at which a clock of the zone shows this time', () => {
    const random = drawsOf('moments');
    const zones = [
      'America/Chicago',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Europe/London',
      'Pacific/Apia',
      'UTC',
    ];
    for (let n = 0; n < 3_000; n++) {
      const zone = zones[random(zones.length)]!;
      const atMs = Date.UTC(2024, 0, 1) + random(3 * 365 * 24 * 60) * 60_000;
      const shown = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      const local = shown.format(atMs);
      const read = Date.parse(momentReader(zone)(local)!);
      assert.equal(shown.format(read), local, `${zone} ${local}`);
      // If two moments show it, the first is meant.
      assert.ok(read <= atMs, `${zone} ${local}`);
    }
  });
});

describe('a volume', () => {
  it('is the nearest whole number of bytes', () => {
    assert.equal(bytesOf('1.5', 'KB'), 1_536);
    assert.equal(bytesOf('0.0004', 'KB'), 0);
    assert.equal(bytesOf('0.0005', 'KB'), 1);
    assert.equal(bytesOf('12', 'MB'), 12 * 1024 * 1024);
    assert.equal(bytesOf('1000.0', 'B'), 1_000);
    for (const text of ['', '-1', '1,5', '1e3', '0x10', '1.5.2', '99999999999999999'])
      assert.equal(bytesOf(text, 'B'), undefined, text);
    assert.equal(bytesOf('1.5', 'B'), undefined);
  });
});

describe('a mapping', () => {
  const columns = {
    device: { column: 'IMSI', kind: 'imsi' },
    at: { column: 'START', zone: 'UTC' },
    bytes: { column: 'VOL', unit: 'KB' },
  };
  const problemOf = (value: unknown) => {
    const parsed = parseMapping(value);
    return 'problem' in parsed ? parsed.problem : undefined;
  };

  it('reports its problem in a sentence', () => {
    assert.equal(problemOf({ format: 'csv', columns }), undefined);
    assert.equal(problemOf({ format: 'ndjson' }), undefined);
    assert.equal(problemOf({ format: 'csv' }), 'csv needs columns');
    assert.equal(problemOf({ format: 'xml' }), 'format must be ndjson or csv');
    assert.equal(problemOf({ columns }), 'the mapping has no format');
    assert.equal(problemOf({ format: 'csv', columns, more: 1 }), 'more is not known');
    assert.equal(
      problemOf({ format: 'csv', columns: { ...columns, at: { column: 'START', zone: 'Mars/Base' } } }),
      'columns.at.zone is not a known time zone: Mars/Base',
    );
    assert.equal(
      problemOf({ format: 'csv', columns: { ...columns, bytes: { column: 'VOL', unit: 'TB' } } }),
      'columns.bytes.unit must be B, KB or MB',
    );
    assert.equal(
      problemOf({ format: 'csv', delimiter: ',,', columns }),
      'delimiter must be one character that is not a quotation mark',
    );
    assert.equal(problemOf({ format: 'ndjson', delimiter: ';' }), 'a delimiter is for csv only');
  });
});
