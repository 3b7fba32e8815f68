import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fedRecordParser, parseFedDevice } from './fed-record.ts';

// proves usage/numbers-with-a-plus
it('a number of a line is the same with and without a plus sign, and nothing else has one', () => {
  const number = { kind: 'msisdn', value: '15551230000' };
  assert.deepEqual(parseFedDevice('msisdn', '+15551230000'), number);
  assert.deepEqual(parseFedDevice('msisdn', '15551230000'), number);
  assert.equal(parseFedDevice('msisdn', '++15551230000'), undefined);
  assert.equal(parseFedDevice('imsi', '+311480000000001'), undefined);
});

// proves usage/numbers-with-a-plus
it('a record of any feed may name its line by a number with a plus sign', () => {
  const parse = fedRecordParser({ type: 'object' });
  const at = '2026-01-15T08:00:00Z';
  assert.deepEqual(parse({ kind: 'msisdn', device: '+15551230000', at }), {
    wire: { kind: 'msisdn', device: '+15551230000', at },
    record: { device: { kind: 'msisdn', value: '15551230000' }, atMs: Date.parse(at) },
  });
});
