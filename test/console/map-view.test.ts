import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFleet } from '../../clients/console/src/pages/map/fleet.ts';
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
