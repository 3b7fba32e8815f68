import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ipAddressOf, mdnOf, numbersFrom } from './line-number.ts';

const lineNumber = fc.integer({ min: 0, max: 71_999_999 });

describe('the telephone number of a line', () => {
  it('is different for every line number, and can be dialled', () =>
    fc.assert(
      fc.property(lineNumber, lineNumber, (one, other) => {
        assert.equal(mdnOf(one) === mdnOf(other), one === other);
        assert.match(mdnOf(one), /^52[1-9][2-9]\d{6}$/);
      }),
    ));

  it('starts with the first number of the first area and ends with the last number of the last', () =>
    assert.deepEqual(
      [mdnOf(0), mdnOf(7_999_999), mdnOf(8_000_000), mdnOf(71_999_999)],
      ['5212000000', '5219999999', '5222000000', '5299999999'],
    ));

  it('gives a device only what it lacks', () =>
    assert.deepEqual(
      numbersFrom(
        { deviceId: 'd', mdn: '5550100001', msisdn: null, min: null, imsi: '311480000000001' },
        '5550100001',
      ),
      { deviceId: 'd', mdn: null, msisdn: '15550100001', min: '5550100001', imsi: null },
    ));
});

describe('the address of a line', () => {
  it('is different for lines that are less than 16 million apart', () =>
    fc.assert(
      fc.property(lineNumber, fc.integer({ min: 1, max: 16_777_213 }), (one, apart) => {
        assert.ok(!['10.0.0.0', '10.255.255.255'].includes(ipAddressOf(one)), "the network's own");
        assert.notEqual(ipAddressOf(one), ipAddressOf(one + apart));
        assert.match(ipAddressOf(one), /^10(\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/);
      }),
    ));
});
