import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEVICE_ERRORS, parseDeviceErrorType, spellDeviceError } from './device-error.ts';

const NAMES = `
SVC CACHE UNAVAILABLE
SVC CONSENT CHECK FAILED
SVC DEVICE TYPE CHECK FAILED
SVC DEVICE DATA UNAVAILABLE
SVC DEVICE LOCATION DATA UNAVAILABLE
SYSTEM FAILURE
UNSPECIFIED ERROR
UNAUTHORIZED APPLICATION
UNKNOWN SUBSCRIBER
ABSENT SUBSCRIBER
POSITION METHOD FAILURE
TIMEOUT
CONGESTION IN LOCATION SERVER
UNSUPPORTED VERSION
TOO MANY POSITION ITEMS
FORMAT ERROR
SYNTAX ERROR
PROTOCOL ELEMENT NOT SUPPORTED
SERVICE NOT SUPPORTED
PROTOCOL ELEMENT ATTRIBUTE NOT SUPPORTED
INVALID PROTOCOL ELEMENT VALUE
INVALID PROTOCOL ELEMENT ATTRIBUTE VALUE
PROTOCOL ELEMENT VALUE NOT SUPPORTED
PROTOCOL ELEMENT ATTRIBUTE VALUE NOT SUPPORTED
CANCELLATION OF TRIGGERED LOCATION REQUEST
QOP NOT ATTAINABLE
POSITIONING NOT ALLOWED
CONGESTION IN MOBILE NETWORK
DISALLOWED BY LOCAL REGULATIONS
MISCONFIGURATION OF LOCATION SERVER
TARGET MOVED TO NEW MSC/SGSN
STANDARD LOCATION REPORT SERVICE NOT SUPPORTED
MLS CLIENT ERROR
STANDARD LOCATION REPORT SERVICE NOT ACCEPTED
SUBSCRIBER ID IN STANDARD LOCATION REPORT SERVICE NOT VALID
INVALID SERVICE ID IN STANDARD LOCATION REPORT SERVICE
`;

describe('per-device error types', () => {
  // proves 7.3/types
  it('are those of the interface', () =>
    assert.deepEqual(Object.keys(DEVICE_ERRORS).toSorted(), NAMES.trim().split('\n').toSorted()));

  // proves 7.3/types
  it('are 36, each once, and each with a sentence', () => {
    assert.equal(Object.keys(DEVICE_ERRORS).length, 36);
    assert.ok(Object.values(DEVICE_ERRORS).every((info) => info.endsWith('.')));
  });

  // proves 1/SVC 7.3/types requests/prefix
  it('have the configured prefix if they have one', () => {
    const types = Object.keys(DEVICE_ERRORS).map((type) => spellDeviceError(type, 'ACME'));
    assert.ok(types.includes('ACME CONSENT CHECK FAILED'));
    assert.equal(types.filter((type) => type.startsWith('ACME ')).length, 5);
    assert.ok(!types.some((type) => type.startsWith('SVC')));
  });

  it('are parsed with any prefix and stored with the marker', () => {
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
