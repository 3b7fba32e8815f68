import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowanceOf } from './subscription.ts';

describe('the allowance of a SKU', () => {
  for (const [size, allowed] of [
    ['5K', 5_000],
    ['10K', 10_000],
    ['100K', 100_000],
    ['1M', 1_000_000],
  ] as const) {
    // proves 8/location-allowances
    it(`is ${allowed} for the size ${size}, whatever the prefix and the subscription`, () => {
      assert.equal(allowanceOf(`SVC-LOC-COARSE-CellID-${size}`, null), allowed);
      assert.equal(allowanceOf(`svc-loc-coarse-cellid-${size.toLowerCase()}`, null), allowed);
      assert.equal(allowanceOf(`ACME-LOC-COARSE-CellID-${size}`, 7), allowed);
    });
  }

  // proves 8/location-allowances
  it('comes from the subscription for aggregated billing and other services, and is zero without one', () => {
    assert.equal(allowanceOf('SVC-LOC-COARSE-CellID-Aggr', 20_000), 20_000);
    assert.equal(allowanceOf('SVC-LOC-COARSE-CellID-Aggr-ECPD', null), 0);
    assert.equal(allowanceOf('SVC-FOTA', 1_000), 1_000);
  });
});
