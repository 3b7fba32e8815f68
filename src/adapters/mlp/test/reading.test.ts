import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEVICE_ERRORS } from '../../../kernel/device-error.ts';
import { parseCoordinate, parseTime } from '../coordinates.ts';
import { failureOf } from '../results.ts';
import { type Area, areaOf } from '../shapes.ts';
import { childOf, parseXml } from '../xml.ts';

const near = (found: number | undefined, wanted: number) =>
  assert.ok(found !== undefined && Math.abs(found - wanted) < 1e-6, `${found} is not ${wanted}`);
const areaIn = (xml: string): Area | undefined => areaOf(childOf(parseXml(`<shape>${xml}</shape>`), 'shape'));

describe('a coordinate', () => {
  it('is parsed in the forms that location servers write', () => {
    near(parseCoordinate('30 16 28.308N', 'latitude'), 30.27453);
    near(parseCoordinate('45 15 33.444W', 'longitude'), -45.25929);
    near(parseCoordinate('S23.55', 'latitude'), -23.55);
    near(parseCoordinate('23.55S', 'latitude'), -23.55);
    near(parseCoordinate('-97.125', 'longitude'), -97.125);
    near(parseCoordinate(' 0 ', 'longitude'), 0);
  });

  it('is the same from degrees, minutes and seconds as from decimals, everywhere', () =>
    fc.assert(
      fc.property(fc.integer({ min: -180 * 3600, max: 180 * 3600 }), (seconds) => {
        const size = Math.abs(seconds);
        const text = `${Math.floor(size / 3600)} ${Math.floor(size / 60) % 60} ${size % 60}${seconds < 0 ? 'W' : 'E'}`;
        near(parseCoordinate(text, 'longitude'), seconds / 3600);
      }),
    ));

  it('is invalid beyond the earth, for the other axis, or in other words', () => {
    for (const text of [
      '91',
      '90.1N',
      '12E',
      'N12N',
      '-12N',
      '1 60 0N',
      '1 2 60N',
      '',
      'NaN',
      '1e1',
      '1 2 3 4N',
      '９',
    ])
      assert.equal(parseCoordinate(text, 'latitude'), undefined, text);
  });
});

describe('a time', () => {
  it('is local, with its offset from UTC', () => {
    assert.equal(parseTime('20261117135900', '+0200')?.toISOString(), '2026-11-17T11:59:00.000Z');
    assert.equal(parseTime('20261117235900', '-0330')?.toISOString(), '2026-11-18T03:29:00.000Z');
    assert.equal(parseTime('20261117120000')?.toISOString(), '2026-11-17T12:00:00.000Z');
  });

  it('is invalid on the thirtieth of February', () => {
    for (const text of ['20260230000000', '20261117240000', '20261117126000', '20261117120060', '2026', ''])
      assert.equal(parseTime(text), undefined, text);
    for (const offset of ['+1500', '2', '+02:00'])
      assert.equal(parseTime('20261117120000', offset), undefined);
  });
});

describe('a result', () => {
  it('is one of the types of the interface, whatever the server says', () =>
    fc.assert(
      fc.property(fc.option(fc.string()), fc.string(), fc.option(fc.string()), (resid, slogan, addInfo) => {
        const { type } = failureOf({ resid: resid ?? undefined, slogan, addInfo: addInfo ?? undefined });
        assert.ok(Object.hasOwn(DEVICE_ERRORS, type));
      }),
    ));

  it('is known for each number of the standard, and covers every type that applies to a network', () => {
    const numbers = Array.from(
      { length: 700 },
      (_, n) => failureOf({ resid: String(n), slogan: '', addInfo: undefined }).type,
    );
    const fromNetwork = Object.keys(DEVICE_ERRORS).filter((type) => !type.startsWith('SVC '));
    assert.deepEqual([...new Set(numbers)].sort(), [...fromNetwork].sort());
  });
});

const METRES = 111_320;
const corner = (latitude: number, longitude: number) =>
  `<coord><X>${latitude}</X><Y>${longitude}</Y></coord>`;

function metresFrom(area: Area, latitude: number, longitude: number): number {
  const north = (latitude - area.latitude) * METRES;
  const east = (longitude - area.longitude) * METRES * Math.cos((latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

describe('a shape', () => {
  it('becomes its centre and a radius that covers it', () => {
    assert.deepEqual(areaIn(`<CircularArea>${corner(10, 20)}<radius>240</radius></CircularArea>`), {
      latitude: 10,
      longitude: 20,
      radiusM: 240,
    });
    assert.equal(
      areaIn(
        `<EllipticalArea>${corner(10, 20)}<angle>24</angle><semiMajor>3000</semiMajor><semiMinor>40</semiMinor></EllipticalArea>`,
      )?.radiusM,
      3_000,
    );
    assert.deepEqual(areaIn(`<Point>${corner(10, 20)}</Point>`), { latitude: 10, longitude: 20, radiusM: 0 });
    assert.equal(
      areaIn(`<CircularArea>${corner(1, 2)}<radius>2</radius><distanceUnit>km</distanceUnit></CircularArea>`)
        ?.radiusM,
      2_000,
    );
  });

  it('that is a sector of a ring has every point of the sector within its radius', () =>
    fc.assert(
      fc.property(
        fc.record({
          inner: fc.integer({ min: 0, max: 5_000 }),
          width: fc.integer({ min: 1, max: 5_000 }),
          start: fc.integer({ min: 0, max: 359 }),
          opening: fc.integer({ min: 1, max: 360 }),
          along: fc.double({ min: 0, max: 1, noNaN: true }),
          across: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        ({ inner, width, start, opening, along, across }) => {
          const area = areaIn(
            `<CircularArcArea>${corner(40, -90)}<inRadius>${inner}</inRadius><outRadius>${inner + width}</outRadius><startAngle>${start}</startAngle><stopAngle>${opening}</stopAngle></CircularArcArea>`,
          );
          assert.ok(area);
          const [metres, bearing] = [inner + width * across, ((start + opening * along) * Math.PI) / 180];
          const latitude = 40 + (metres * Math.cos(bearing)) / METRES;
          const longitude = -90 + (metres * Math.sin(bearing)) / (METRES * Math.cos((40 * Math.PI) / 180));
          const [away, allowed] = [metresFrom(area, latitude, longitude), area.radiusM * 1.01 + 1];
          assert.ok(away <= allowed, `${away} m, with a radius of ${area.radiusM} m`);
        },
      ),
    ));

  it('that is a polygon has its corners within the radius, even across the date line', () => {
    const square = [corner(10, 179.9), corner(10, -179.9), corner(10.2, -179.9), corner(10.2, 179.9)].join(
      '',
    );
    const area = areaIn(
      `<Polygon><outerBoundaryIs><LinearRing>${square}</LinearRing></outerBoundaryIs></Polygon>`,
    );
    near(Math.abs(area!.longitude), 180);
    near(area!.latitude, 10.1);
    assert.ok(area!.radiusM > 15_000 && area!.radiusM < 16_000, String(area!.radiusM));
  });

  it('that is impossible gives no area', () => {
    for (const xml of [
      '',
      '<CircularArea/>',
      `<CircularArea>${corner(10, 20)}</CircularArea>`,
      `<CircularArea>${corner(10, 20)}<radius>-4</radius></CircularArea>`,
      `<CircularArea>${corner(10, 20)}<radius>Infinity</radius></CircularArea>`,
      `<CircularArea>${corner(10, 20)}<radius>1</radius><distanceUnit>furlong</distanceUnit></CircularArea>`,
      `<CircularArea>${corner(100, 20)}<radius>1</radius></CircularArea>`,
      '<Polygon><outerBoundaryIs><LinearRing/></outerBoundaryIs></Polygon>',
    ])
      assert.equal(areaIn(xml), undefined, xml);
  });
});
