import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEVICE_ERROR_TYPES, deviceErrorTypes, parseDeviceErrorType } from './device-error.ts';

describe('per-device error types', () => {
  it('are 36, each once, each with a sentence', () => {
    assert.equal(new Set(DEVICE_ERROR_TYPES.map(({ type }) => type)).size, 36);
    assert.ok(DEVICE_ERROR_TYPES.every(({ info }) => info.endsWith('.')));
  });

  it('follow the configured prefix where they carry one', () => {
    const types = deviceErrorTypes('ACME').map(({ type }) => type);
    assert.ok(types.includes('ACME CONSENT CHECK FAILED'));
    assert.equal(types.filter((type) => type.startsWith('ACME ')).length, 5);
    assert.ok(!types.some((type) => type.startsWith('SVC')));
  });

  it('are read with any prefix and kept with the marker', () => {
    assert.deepEqual(
      [
        'ABSENT SUBSCRIBER',
        'SVC CACHE UNAVAILABLE',
        'ACME CACHE UNAVAILABLE',
        'OUT OF COFFEE',
        'SVC ABSENT SUBSCRIBER',
      ].map(parseDeviceErrorType),
      ['ABSENT SUBSCRIBER', 'SVC CACHE UNAVAILABLE', 'SVC CACHE UNAVAILABLE', undefined, undefined],
    );
  });
});
