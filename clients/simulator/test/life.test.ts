import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Device, hourOf, localTime } from '../life/device.ts';
import { PROFILES, type ProfileName } from '../life/profile.ts';
import { recordsBetween } from '../life/records.ts';
import { stateOf } from '../life/state.ts';
import { DAY, HOUR } from '../life/time.ts';

const MB = 1024 ** 2;
/** A Monday. */
const START = Date.UTC(2026, 2, 2);
const names = Object.keys(PROFILES) as ProfileName[];
const deviceOf = (profile: ProfileName, n = 1): Device => ({
  kind: 'imei',
  id: `99710011000${n}`,
  profile,
  home: { lat: 32.8, lon: -96.8 },
});
const profile = fc.constantFrom(...names);
const instant = fc.integer({ min: START, max: START + 60 * DAY });
const month = (device: Device, seed = 'a') =>
  recordsBetween(device, seed, new Date(START), new Date(START + 30 * DAY));
const monthsOf = (name: ProfileName) => Array.from({ length: 20 }, (_, n) => month(deviceOf(name, n)));

describe('the state of a device', () => {
  it('is the same whenever it is asked for, and another with another seed', () => {
    fc.assert(
      fc.property(profile, instant, (name, at) =>
        assert.deepEqual(
          stateOf(deviceOf(name), 'a', new Date(at)),
          stateOf(deviceOf(name), 'a', new Date(at)),
        ),
      ),
    );
    assert.notDeepEqual(month(deviceOf('tracker'), 'a'), month(deviceOf('tracker'), 'b'));
  });

  it('moves no faster than a lorry may, and is parked at night', () =>
    fc.assert(
      fc.property(fc.nat(500), instant, (n, at) => {
        const device = deviceOf('tracker', n);
        const [a, b] = [0, 60_000].map((ms) => stateOf(device, 's', new Date(at + ms)).position);
        const km = 111.32 * Math.hypot(a!.lat - b!.lat, (a!.lon - b!.lon) * Math.cos(0.57));
        assert.ok(km <= 2, `${km} km in a minute`);
        if (hourOf(localTime(at, device.home)) < 5)
          assert.notEqual(stateOf(device, 's', new Date(at)).activity, 'driving');
      }),
    ));

  it('is out of coverage now and then on the road, asleep most of the time in a meter', () => {
    const hours = Array.from({ length: 60 * 24 }, (_, n) => new Date(START + n * HOUR));
    const states = (name: ProfileName) => hours.map((at) => stateOf(deviceOf(name), 'a', at));
    const gone = states('tracker').filter(({ online }) => !online).length;
    assert.ok(gone > 5 && gone < 200, `${gone} hours of 1440`);
    assert.ok(states('gateway').every(({ online }) => online));
    assert.ok(states('meter').filter(({ activity }) => activity === 'asleep').length > 1_200);
    assert.ok(states('tracker').some(({ activity }) => activity === 'driving'));
  });
});

describe('the records of a device', () => {
  it('are the same however a stretch of time is cut', () =>
    fc.assert(
      fc.property(profile, instant, fc.array(fc.nat(DAY), { maxLength: 5 }), (name, start, cuts) => {
        const ends = [0, ...cuts.toSorted((a, b) => a - b), DAY].map((ms) => new Date(start + ms));
        const parts = ends.slice(1).map((to, n) => recordsBetween(deviceOf(name), 'a', ends[n]!, to));
        const whole = recordsBetween(deviceOf(name), 'a', ends[0]!, ends.at(-1)!);
        const sorted = (records: readonly object[]) =>
          records.map((record) => JSON.stringify(record)).toSorted();
        for (const kind of ['usage', 'positions', 'readings'] as const)
          assert.deepEqual(
            sorted(parts.flatMap((part): readonly object[] => part[kind])),
            sorted(whole[kind]),
          );
      }),
      { numRuns: 60 },
    ));

  it('are never of the future, some late, and some repeated with the same id', () => {
    let [late, repeated] = [0, 0];
    const seen = new Set<string>();
    for (let from = START; from < START + 10 * DAY; from += HOUR) {
      const to = from + HOUR;
      for (const { id, at } of recordsBetween(deviceOf('tracker'), 'a', new Date(from), new Date(to)).usage) {
        assert.ok(Date.parse(at) <= to);
        if (Date.parse(at) < from) late++;
        if (seen.has(id)) repeated++;
        seen.add(id);
      }
    }
    assert.ok(late > 10 && repeated > 5, `${late} late, ${repeated} repeated of ${seen.size}`);
  });

  const used: Partial<Record<ProfileName, readonly [min: number, max: number]>> = {
    meter: [1, 4],
    tracker: [1, 20],
    dashCamera: [500, 9_000],
    camera: [9_000, 33_000],
    fixedWireless: [70_000, 230_000],
  };
  for (const [name, [min, max]] of Object.entries(used)) {
    it(`add up to between ${min} and ${max} MB in a month of a ${name}`, () => {
      for (const { usage } of monthsOf(name as ProfileName)) {
        const counted = new Map(usage.map(({ id, bytes }) => [id, bytes]));
        const bytes = counted.values().reduce((sum, one) => sum + one, 0);
        assert.ok(bytes > min * MB && bytes < max * MB, `${bytes / MB} MB`);
      }
    });
  }

  it('follow the day: fixed wireless is used in the evening and hardly at night', () => {
    const device = deviceOf('fixedWireless');
    const bytesAt = (hour: number) =>
      month(device)
        .usage.filter(
          ({ at }) => Math.floor(hourOf(localTime(Date.parse(at) - HOUR / 2, device.home))) === hour,
        )
        .reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(bytesAt(20) > 5 * bytesAt(3));
  });

  it('have a cold shelf too warm at some time in a month, and below its limit nearly always', () => {
    const shelves = Array.from({ length: 6 }, (_, n) => ({ ...deviceOf('climateSensor', n), cold: true }));
    const values = shelves.flatMap((shelf) => month(shelf).readings.map(({ values }) => values));
    const warm = values.filter(({ temperature }) => Number(temperature) > 5).length;
    assert.ok(warm > 0 && warm < values.length / 50, `${warm} of ${values.length}`);
  });
});
