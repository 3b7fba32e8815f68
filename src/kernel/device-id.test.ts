import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDeviceId, parseDeviceIdKind } from './device-id.ts';

describe('device identifiers', () => {
  it('have the same kind in any letter case', () =>
    assert.deepEqual(['IMEI', 'Imei', 'imei', 'phone'].map(parseDeviceIdKind), [
      'imei',
      'imei',
      'imei',
      undefined,
    ]));

  // proves data/identifiers
  it('are equal strings when they name the same thing: a MAC in either form, an EUI with or without dashes', () => {
    assert.equal(
      parseDeviceId('mac', 'aa-bb-cc-dd-ee-ff')?.value,
      parseDeviceId('mac', 'AA:BB:CC:DD:EE:FF')?.value,
    );
    assert.equal(parseDeviceId('deveui', '00-11-22-33-44-55-66-aa')?.value, '00112233445566AA');
  });

  it('keep leading zeros', () =>
    assert.equal(parseDeviceId('imei', '001234567890123')?.value, '001234567890123'));

  for (const [kind, text] of [
    ['imei', '12345'],
    ['mdn', '555123456'],
    ['eid', '1'],
    ['meid', 'XYZ'],
    ['mac', 'aa:bb'],
  ] as const) {
    it(`refuse ${text} as ${kind}`, () => assert.equal(parseDeviceId(kind, text), undefined));
  }
});
