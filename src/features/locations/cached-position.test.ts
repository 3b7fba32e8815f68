import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cachedForms } from './location.ts';

const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  radiusM: fc.double({ min: 0, max: 99, noNaN: true }),
  at: fc.constant(new Date(0)),
});

describe('a cached position', () => {
  it('that is precise is stored unchanged, and for coarse requests with an accuracy of a kilometre', () =>
    fc.assert(
      fc.property(place, (fix) => {
        const [precise, coarse] = cachedForms([{ deviceId: 'd', accuracy: 'precise', ...fix }]);
        assert.deepEqual(precise, { deviceId: 'd', accuracy: 'precise', ...fix, asTaken: true });
        assert.deepEqual([coarse!.accuracy, coarse!.asTaken], ['coarse', false]);
        assert.ok(coarse!.radiusM >= 1_000);
        assert.ok(Math.abs(coarse!.latitude - fix.latitude) <= 0.00501);
        assert.equal(Math.round(coarse!.latitude * 100) / 100, coarse!.latitude);
        assert.ok(Math.abs(coarse!.latitude) <= 90 && Math.abs(coarse!.longitude) <= 180);
      }),
    ));

  it('that is coarse is stored once, unchanged', () => {
    const place = { latitude: 1.23456, longitude: 2, radiusM: 300, at: new Date(0) };
    const fix = { deviceId: 'd', accuracy: 'coarse' as const, ...place };
    assert.deepEqual(cachedForms([fix]), [{ ...fix, asTaken: true }]);
  });
});
