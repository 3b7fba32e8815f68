import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFleet, withNews } from '../../clients/console/src/map/fleet.ts';
import { clusterPoints, findIn, toPoints } from '../../clients/console/src/map/grid.ts';
import {
  boundsOf,
  fitted,
  isWithin,
  pxAtZoom0,
  pxFrom,
  widened,
  xOf,
  yOf,
} from '../../clients/console/src/map/mercator.ts';
import { toCsv } from '../../clients/console/src/text/csv.ts';

describe('the view of the map', () => {
  it('has all positions in it, and the United States where there are none', () => {
    assert.deepEqual(boundsOf([30, 45, 33], [-120, -80, -100]), [-120, 30, -80, 45]);
    const [west, south, east, north] = boundsOf([], []);
    assert.ok(west <= -125 && south <= 24 && east >= -66 && north >= 50);
  });

  it('is within what is drawn around it, which goes as far again on every side', () => {
    const view = [-120, 30, -80, 45] as const;
    assert.deepEqual(widened(view), [-160, 15, -40, 60]);
    assert.ok(isWithin(view, widened(view)));
    assert.ok(!isWithin([-170, 30, -80, 45], widened(view)));
  });

  it('has all of it inside, with room around it, in the middle, and as large as it can be', () => {
    for (const [width, height] of [
      [1_000, 700],
      [400, 900],
    ] as const) {
      const camera = fitted([-120, 30, -80, 45], width, height);
      const [left, top] = pxFrom(camera, -120, 45);
      const [right, bottom] = pxFrom(camera, -80, 30);
      assert.ok(Math.abs(left + right) < 1e-6 && Math.abs(top + bottom) < 1e-6);
      const room = Math.min(width / 2 - right, height / 2 - bottom);
      assert.ok(Math.abs(room - 48) < 1e-6, `${width} x ${height}: ${room}`);
    }
  });

  it('is not nearer than a town for one place, and not farther than the whole world', () => {
    assert.equal(fitted([-100, 40, -100, 40], 1_000, 700).zoom, 11);
    assert.equal(fitted([-180, -80, 180, 80], 1_024, 700).zoom, 1);
  });

  it('shows a metre as twice as many pixels where a degree of longitude is half as long', () => {
    assert.ok(Math.abs(pxAtZoom0(40_075_016.686, 0) - 512) < 1e-6);
    assert.ok(Math.abs(pxAtZoom0(1, 60) / pxAtZoom0(1, 0) - 2) < 1e-6);
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
    states: ids.map(() => 1),
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
    clusterPoints(
      toPoints(
        Float64Array.from(places, ([latitude]) => latitude),
        Float64Array.from(places, ([, longitude]) => longitude),
      ),
      WORLD,
      zoom,
    );

  it('have every device in view once, and stand apart from each other at any zoom', () => {
    // Random, but the same places in each run.
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
      const px = 512 * 2 ** Math.floor(zoom);
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

  it('have the colour of most of their devices', () => {
    const near = Float64Array.of(40, 40, 40);
    const [cluster] = clusterPoints(toPoints(near, near, Uint8Array.of(2, 1, 2)), WORLD, 4).shown;
    assert.deepEqual([cluster?.count, cluster?.tone], [3, 2]);
  });

  it('are drawn around the view, and only what is in it is counted, listed and found', () => {
    const points = toPoints(Float64Array.of(40, 55, -40), Float64Array.of(-100, -100, 100));
    const view = [-120, 30, -80, 50] as const;
    const { shown, listed, inView } = clusterPoints(points, view, 4, widened(view));
    assert.deepEqual([shown.length, listed, inView], [2, [0], 1]);
    assert.deepEqual([...findIn(points, view)], [0]);
  });

  it('leave out what is not in view', () => {
    const points = toPoints(Float64Array.of(40, -40), Float64Array.of(-100, 100));
    const { shown, listed } = clusterPoints(points, [-120, 30, -80, 50], 4);
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
