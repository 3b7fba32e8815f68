import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { simulatedPosition } from './index.ts';

const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const EARTH_M_PER_DEGREE = 111_320;

/** Accurate enough over a few kilometres. */
function metresBetween(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
) {
  const dy = (a.latitude - b.latitude) * EARTH_M_PER_DEGREE;
  const dx = (a.longitude - b.longitude) * EARTH_M_PER_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(dx, dy);
}

describe('a simulated position', () => {
  it('is always the same, and different in another world', () =>
    fc.assert(
      fc.property(fc.uuid(), instant, (device, at) => {
        const once = simulatedPosition('a', device, at, 'precise');
        assert.deepEqual(simulatedPosition('a', device, at, 'precise'), once);
        assert.notDeepEqual(simulatedPosition('b', device, at, 'precise'), once);
      }),
    ));

  it('lies within the radius of the coarse answer for the same moment', () =>
    fc.assert(
      fc.property(fc.uuid(), instant, (device, at) => {
        const coarse = simulatedPosition('a', device, at, 'coarse');
        const precise = simulatedPosition('a', device, at, 'precise');
        assert.ok(metresBetween(coarse, precise) <= coarse.radiusM);
        assert.ok(precise.radiusM < coarse.radiusM);
      }),
    ));

  it('moves for about half of all devices, and no faster than a car', () => {
    const at = new Date('2026-01-05T12:00:00Z');
    const later = new Date(at.getTime() + 60_000);
    const metres = Array.from({ length: 400 }, (_, n) =>
      metresBetween(
        simulatedPosition('a', `device ${n}`, at, 'precise'),
        simulatedPosition('a', `device ${n}`, later, 'precise'),
      ),
    );
    const moving = metres.filter((m) => m > 0.5);
    assert.ok(moving.length > 140 && moving.length < 260, `${moving.length} of 400 move`);
    assert.ok(Math.max(...metres) < 3_000, `${Math.max(...metres)} m in a minute`);
  });
});
