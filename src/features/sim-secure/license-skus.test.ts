import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLicenseSku, isLifetimeSku, licenseType, spellLikeInterface } from './license-skus.ts';

describe('licence SKUs', () => {
  // proves 2.10/SIMSec-IoT-Lt 2.10/SIMSec-IoT 2.10/SVC-BUNDLE-KTO-SIMSEC-MRC 2.10/SVC-IOT-INTLG-TIERED-SIMSEC
  // proves data/fourth-sku
  it('have the licence types of the interface, with the configured prefix', () => {
    assert.equal(licenseType('SIMSec-IoT-Lt', 'SVC'), 'Lifetime');
    assert.equal(licenseType('SIMSec-IoT', 'SVC'), 'Flexible');
    assert.equal(licenseType('TS-BUNDLE-KTO-SIMSEC-MRC', 'TS'), 'Flexible Bundle');
    assert.equal(licenseType('SVC-IOT-INTLG-TIERED-SIMSEC', 'SVC'), 'Flexible Tiered');
    assert.equal(licenseType('MY-OWN', 'SVC'), 'Flexible');
  });

  // proves data/skus
  it('match in any letter case', () => {
    assert.equal(licenseType('simsec-iot-lt', 'SVC'), 'Lifetime');
    assert.ok(isLifetimeSku('SIMSEC-IOT-LT'));
    assert.ok(isLicenseSku('ts-iot-intlg-tiered-simsec'));
    assert.deepEqual(
      ['simsec-iot-lt', 'SIMSEC-IOT', 'TS-iot-intlg-tiered-simsec', 'my-own', ''].map(spellLikeInterface),
      ['SIMSec-IoT-Lt', 'SIMSec-IoT', 'TS-IOT-INTLG-TIERED-SIMSEC', 'my-own', ''],
    );
  });

  // proves 8/skuNumber data/skus
  it('are the four of any length, and others up to 20 characters', () => {
    assert.ok(isLicenseSku('SVC-IOT-INTLG-TIERED-SIMSEC'));
    assert.ok(isLicenseSku('TS-BUNDLE-KTO-SIMSEC-MRC'));
    assert.ok(isLicenseSku('A'.repeat(20)));
    assert.ok(!isLicenseSku('A'.repeat(21)));
    assert.ok(!isLicenseSku('-IOT-INTLG-TIERED-SIMSEC'));
    assert.ok(!isLicenseSku(''));
  });
});
