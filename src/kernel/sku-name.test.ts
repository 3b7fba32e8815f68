import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLocationSku, isSameSku, spellSkuName } from './sku-name.ts';

describe('the name of a SKU', () => {
  for (const size of ['5K', '10K', '100K', '1M', 'Aggr', 'Aggr-ECPD']) {
    const name = `SVC-LOC-COARSE-CellID-${size}`;
    it(`is ${name} in any letter case`, () => {
      for (const text of [name, name.toLowerCase(), name.toUpperCase()]) {
        assert.equal(spellSkuName(text), name);
        assert.ok(isSameSku(text, name));
      }
    });
  }

  it('keeps another prefix unchanged', () =>
    assert.equal(spellSkuName('Acme-loc-coarse-cellid-1m'), 'Acme-LOC-COARSE-CellID-1M'));

  it('stays unchanged if the interface does not know it', () => {
    for (const text of ['svc-fota', 'svc-loc-coarse-cellid-7k', 'loc-coarse-cellid-5k', 'F-1', '-', ''])
      assert.equal(spellSkuName(text), text);
    assert.ok(!isSameSku('svc-fota', 'svc-fota-2'));
  });

  it('of location is found by the prefix of the installation in any letter case, and spelt with that prefix', () => {
    assert.equal(
      findLocationSku('aCME-loc-coarse-CELLID-aggr-ecpd', 'Acme'),
      'Acme-LOC-COARSE-CellID-Aggr-ECPD',
    );
    for (const text of [
      'SVC-LOC-COARSE-CellID-Aggr',
      'Acme-LOC-COARSE-CellID-7K',
      'Acme-LOC-COARSE-CellID',
      '',
    ])
      assert.equal(findLocationSku(text, 'Acme'), undefined);
  });
});
