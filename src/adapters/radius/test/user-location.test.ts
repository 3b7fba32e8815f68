import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellOf } from '../user-location.ts';

const read = (hex: string) => cellOf(Buffer.from(hex, 'hex'));

describe('the location in a report', () => {
  it('is a cell of LTE with its area, which another decoder reads as 001, 01, 1 and 257', () => {
    assert.equal(read('8200f110000100f11000000101'), '001-01-1-257');
  });

  it('is a cell without an area, a cell or service area of older networks, or none', () => {
    assert.equal(read('8100f11000000101'), '001-01--257');
    assert.equal(read('00130014abcd0102'), '310-410-43981-258');
    assert.equal(read('01130014abcd0102'), '310-410-43981-258');
    for (const hex of ['', '80', '8000f11000', '8200f110', '00ffffff00010001', '02130014ab', '03130014abcd'])
      assert.equal(read(hex), undefined, hex);
  });

  it('is an area if the report has no cell', () => {
    assert.equal(read('8000f1100001'), '001-01-1');
    assert.equal(read('02130014abcd01ff'), '310-410-43981');
  });

  it('has 28 bits for a cell of LTE, whatever the bits before them', () => {
    assert.equal(read('8100f110f0000001'), '001-01--1');
  });
});
