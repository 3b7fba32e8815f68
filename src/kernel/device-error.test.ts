import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEVICE_ERROR_TYPES, deviceErrorTypes, isDeviceErrorType } from './device-error.ts';

describe('per-device error types', () => {
  it('are 36, each once, each with a sentence', () => {
    assert.equal(new Set(DEVICE_ERROR_TYPES.map(({ type }) => type)).size, 36);
    assert.ok(DEVICE_ERROR_TYPES.every(({ info }) => info.endsWith('.')));
  });

  it('follow the configured prefix where they carry one', () => {
    const types = deviceErrorTypes('TS').map(({ type }) => type);
    assert.ok(types.includes('TS CONSENT CHECK FAILED'));
    assert.equal(types.filter((type) => type.startsWith('TS ')).length, 5);
    assert.ok(!types.some((type) => type.startsWith('SVC')));
  });

  it('are known with the marker and with the configured prefix', () => {
    assert.ok(isDeviceErrorType('ABSENT SUBSCRIBER'));
    assert.ok(isDeviceErrorType('SVC CACHE UNAVAILABLE'));
    assert.ok(isDeviceErrorType('TS CACHE UNAVAILABLE', 'TS'));
    assert.ok(!isDeviceErrorType('TS CACHE UNAVAILABLE'));
    assert.ok(!isDeviceErrorType('OUT OF COFFEE'));
  });
});
