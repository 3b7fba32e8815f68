import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLicenseSku, licenseType } from './license-skus.ts';

describe('licence SKUs', () => {
  it('have the licence types of the interface, with the configured prefix', () => {
    assert.equal(licenseType('SIMSec-IoT-Lt', 'SVC'), 'Lifetime');
    assert.equal(licenseType('SIMSec-IoT', 'SVC'), 'Flexible');
    assert.equal(licenseType('TS-BUNDLE-KTO-SIMSEC-MRC', 'TS'), 'Flexible Bundle');
    assert.equal(licenseType('SVC-IOT-INTLG-TIERED-SIMSEC', 'SVC'), 'Flexible Tiered');
    assert.equal(licenseType('MY-OWN', 'SVC'), 'Flexible');
  });

  it('are the four whatever their length, and others up to 20 characters', () => {
    assert.ok(isLicenseSku('SVC-IOT-INTLG-TIERED-SIMSEC'));
    assert.ok(isLicenseSku('TS-BUNDLE-KTO-SIMSEC-MRC'));
    assert.ok(isLicenseSku('A'.repeat(20)));
    assert.ok(!isLicenseSku('A'.repeat(21)));
    assert.ok(!isLicenseSku('-IOT-INTLG-TIERED-SIMSEC'));
    assert.ok(!isLicenseSku(''));
  });
});
