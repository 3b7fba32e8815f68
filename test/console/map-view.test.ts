import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFleet, withNews } from '../../clients/console/src/pages/map/fleet.ts';
import { lookAt, toPoints } from '../../clients/console/src/pages/map/grid.ts';
import {
  boundsOf,
  fitting,
  moved,
  toScreen,
  xOf,
  yOf,
  ZOOM_MAX,
  zoomed,
} from '../../clients/console/src/pages/map/view.ts';
import { toCsv } from '../../clients/console/src/text/csv.ts';

const SIZE = { width: 800, height: 600 };
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`);

describe('the view of the map', () => {
  it('fits all positions, and the United States where there are none', () => {
    const [latitudes, longitudes] = [
      [30, 45, 33],
      [-120, -80, -100],
    ];
    const view = fitting(latitudes!, longitudes!, SIZE);
    for (const [n, latitude] of latitudes!.entries()) {
      const [x, y] = toScreen(view, SIZE, xOf(longitudes![n]!), yOf(latitude));
      assert.ok(x > 0 && x < SIZE.width && y > 0 && y < SIZE.height, `${x} ${y}`);
    }
    const [west, south, east, north] = boundsOf(fitting([], [], SIZE), SIZE);
    assert.ok(west < -125 && south < 24 && east > -66 && north > 50);
  });

  it('keeps what is under the pointer where it is when it zooms, and goes no further than its ends', () => {
    const view = fitting([40], [-100], SIZE);
    const at = [200, 450] as const;
    const before = boundsOf(view, SIZE);
    const share = (bounds: readonly number[]) =>
      xOf(bounds[0]!) + (at[0] / SIZE.width) * (xOf(bounds[2]!) - xOf(bounds[0]!));
    near(share(boundsOf(zoomed(view, SIZE, 1.5, at), SIZE)), share(before));
    assert.equal(zoomed(view, SIZE, 100, at).zoom, ZOOM_MAX);
    assert.equal(moved(view, -1e12, 0).x, 0);
  });
});

describe('positions of the map', () => {
  const part = (ids: readonly string[], time: number) => ({
    ids,
    names: ids,
    latitudes: ids.map(() => time),
    longitudes: ids.map(() => 0),
    radii: ids.map(() => 1),
    times: ids.map(() => time),
  });

  it('have each device once, as the last part has it', () => {
    const fleet = toFleet([part(['a', 'b'], 1), part(['b', 'c'], 2)]);
    assert.deepEqual(fleet.ids, ['a', 'b', 'c']);
    assert.deepEqual([...fleet.latitudes], [1, 2, 2]);
    assert.equal(fleet.newest, 2);
  });

  it('take in news of known and of new devices, and stay the same object where there is none', () => {
    const fleet = toFleet([part(['a', 'b'], 1)]);
    assert.equal(withNews(fleet, toFleet([part(['b'], 1)])), fleet);
    const moved = withNews(fleet, toFleet([part(['b'], 3)]));
    assert.deepEqual([[...moved.latitudes], moved.newest], [[1, 3], 3]);
    assert.deepEqual([...fleet.latitudes], [1, 1]);
    assert.deepEqual(withNews(fleet, toFleet([part(['b', 'c'], 3)])).ids, ['a', 'b', 'c']);
  });
});

describe('clusters', () => {
  const WORLD = [-180, -85, 180, 85] as [number, number, number, number];
  const look = (places: readonly (readonly [latitude: number, longitude: number])[], zoom: number) =>
    lookAt(
      toPoints(
        Float64Array.from(places, ([latitude]) => latitude),
        Float64Array.from(places, ([, longitude]) => longitude),
      ),
      WORLD,
      zoom,
    );

  it('have every device in view once, and stand apart from each other at any zoom', () => {
    // Anywhere, but at the same places each time.
    const places = Array.from(
      { length: 5_000 },
      (_, n) => [25 + ((n * 7919) % 2400) / 100, -120 + ((n * 104_729) % 5000) / 100] as const,
    );
    for (const zoom of [0, 3, 4.7, 6]) {
      const { shown, listed } = look(places, zoom);
      assert.equal(
        shown.reduce((sum, { count }) => sum + count, 0),
        places.length,
      );
      assert.equal(listed.length, 200);
      const px = 256 * 2 ** Math.floor(zoom);
      for (const [n, one] of shown.entries())
        for (const other of shown.slice(n + 1)) {
          const [dx, dy] = [
            xOf(one.longitude) - xOf(other.longitude),
            yOf(one.latitude) - yOf(other.latitude),
          ];
          assert.ok(Math.hypot(dx, dy) * px > 12, `${Math.hypot(dx, dy) * px} px at zoom ${zoom}`);
        }
    }
  });

  it('say at which zoom they open, and are single devices in the end', () => {
    const near = [
      [40, -100],
      [40.001, -100.001],
    ] as const;
    const [cluster] = look(near, 5).shown;
    assert.ok(cluster !== undefined && 'opensAt' in cluster && cluster.opensAt > 5);
    assert.equal(look(near, cluster.opensAt).shown.length, 2);
    const same = [near[0], near[0]];
    assert.deepEqual(
      look(same, 17).shown.map((one) => 'nth' in one),
      [true, true],
    );
    assert.deepEqual(look(near, 17.9).listed, [0, 1]);
  });

  it('leave out what is not in view', () => {
    const points = toPoints(Float64Array.of(40, -40), Float64Array.of(-100, 100));
    const { shown, listed } = lookAt(points, [-120, 30, -80, 50], 4);
    assert.deepEqual([shown.length, listed], [1, [0]]);
  });
});

describe('CSV', () => {
  it('quotes what has to be quoted, and lets no cell become a formula', () =>
    assert.equal(
      toCsv([
        ['a,b', 'say "x"', '-87.5'],
        ['=1+1', '@x', '-cmd'],
      ]),
      '"a,b","say ""x""",-87.5\r\n\'=1+1,\'@x,\'-cmd\r\n',
    ));
});
