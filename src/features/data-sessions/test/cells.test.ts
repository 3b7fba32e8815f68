import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { sql } from '../../../platform/db/sql.ts';
import { at, makeSessionWorld, report } from './scene.ts';

const world = await makeSessionWorld();
const taker = world.taker();

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The distance along the surface, in metres. */
function distance(a: Point, b: Point): number {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const along = half(to - from) + Math.cos(from) * Math.cos(to) * half(radians(b.longitude - a.longitude));
  return 2 * 6_371_000 * Math.asin(Math.sqrt(along));
}

const HEAD = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal';
const importCells = async (...lines: readonly string[]) => {
  const answer = await world.operator('POST', '/cells', lines.join('\r\n'), { 'content-type': 'text/csv' });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const positions = () =>
  world.ctx.db.many<{ latitude: number; longitude: number; radiusM: number; accuracy: string; at: Date }>(
    sql`select latitude, longitude, radius_m as "radiusM", accuracy, at from device_position order by at`,
  );

describe('a table of cells', () => {
  it('gives no position while it is empty', async () => {
    await taker.take(report({ n: 0, atMs: at(1), cell: '001-01-1-257' }));
    assert.deepEqual(await positions(), []);
  });

  it('is imported in the exchange format, and names each line that is not a cell', async () => {
    const taken = await importCells(
      HEAD,
      'LTE,1,1,1,257,0,-97.1,32.9,1500,10,0,1,2,0',
      'UMTS,310,410,43981,258,,13.4,52.5,20',
      'WIFI,1,1,1,1,0,0,0,0',
      'LTE,1,1,x,257,0,0,0,0',
      'LTE,1,1,1,258,0,0,91,0',
      'LTE,1,1',
    );
    assert.deepEqual(taken, {
      accepted: 2,
      rejectedTotal: 4,
      rejected: [
        { line: 4, reason: 'radio is none of GSM, UMTS, LTE, NR, CDMA' },
        { line: 5, reason: 'area is not a number that it can be' },
        { line: 6, reason: 'latitude is not a number that it can be' },
        { line: 7, reason: 'has fewer than the columns radio, mcc, net, area, cell, unit, lon, lat, range' },
      ],
    });
  });

  it('turns the cell of a report into a coarse position at its time, and keeps the newest for each line', async () => {
    await taker.take(report({ n: 1, sessionId: 'a', atMs: at(5), cell: '001-01--257' }));
    await taker.take(report({ n: 1, sessionId: 'a', atMs: at(4), cell: '310-410-43981-258' }));
    await taker.take(report({ n: 2, sessionId: 'b', atMs: at(6), cell: '310-410-43981-258' }));
    await taker.take(report({ n: 3, sessionId: 'c', atMs: at(7), cell: '310-410-1-258' }));
    assert.deepEqual(await positions(), [
      { latitude: 32.9, longitude: -97.1, radiusM: 1_500, accuracy: 'coarse', at: new Date(at(5)) },
      { latitude: 52.5, longitude: 13.4, radiusM: 300, accuracy: 'coarse', at: new Date(at(6)) },
    ]);
  });

  it('is replaced cell by cell when it is imported again', async () => {
    await importCells('LTE,1,1,1,257,0,-97.2,32.8,1000');
    await taker.take(report({ n: 1, sessionId: 'a', atMs: at(8), cell: '001-01-1-257' }));
    const { latitude, longitude } = (await positions()).at(-1)!;
    assert.deepEqual([latitude, longitude], [32.8, -97.2]);
  });

  it('gives an unknown cell the position of its area: the middle of its cells, and a radius that covers nearly all of them', async () => {
    const random = randomFor('areas');
    const lineOf = (area: number, cell: number, { latitude, longitude }: Point, radio = 'LTE') =>
      `${radio},1,1,${area},${cell},0,${longitude},${latitude},1000`;
    // Also across the 180th meridian.
    for (const [n, around] of [
      { latitude: 52, longitude: 13 },
      { latitude: -17, longitude: 179.95 },
      { latitude: 64, longitude: -21 },
    ].entries()) {
      const spread = () => (random.next() - 0.5) * 0.8;
      const cells = Array.from({ length: 60 }, (): Point => {
        const longitude = around.longitude + spread();
        return {
          latitude: around.latitude + spread(),
          longitude: longitude > 180 ? longitude - 360 : longitude,
        };
      });
      await importCells(...cells.map((cell, place) => lineOf(10 + n, 1_000 + place, cell)));
      await taker.take(report({ n: 4 + n, atMs: at(20 + n), cell: `001-01-${10 + n}-99999` }));
      const found = (await positions()).at(-1)!;
      assert.deepEqual([found.accuracy, found.at], ['coarse', new Date(at(20 + n))]);
      assert.ok(distance(found, around) < 15_000, JSON.stringify(found));
      const reaches = cells.map((cell) => distance(cell, found) + 1_000).toSorted((a, b) => a - b);
      assert.ok(Math.abs(found.radiusM - reaches[56]!) < 1, `${found.radiusM} ${reaches[56]}`);
    }
    await importCells(
      lineOf(20, 1, { latitude: 1, longitude: 1 }),
      lineOf(20, 1, { latitude: 9, longitude: 9 }, 'GSM'),
      lineOf(21, 2, { latitude: 1, longitude: 1 }),
      lineOf(21, 3, { latitude: 1, longitude: 90 }),
    );
    const known = (await positions()).length;
    // No position for: one of two areas with the same number, an area that is too large, and unknown areas.
    for (const cell of ['001-01-20-99', '001-01-21-99', '001-01-22-99', '001-01--99', '310-410-20'])
      await taker.take(report({ n: 7, atMs: at(30), cell }));
    assert.equal((await positions()).length, known);
    await taker.take(report({ n: 7, atMs: at(31), cell: '001-01-20-99', rat: 'GERAN' }));
    const { latitude, radiusM } = (await positions()).at(-1)!;
    assert.deepEqual([Math.round(latitude * 1e6) / 1e6, radiusM], [9, 20_000]);
    await taker.take(report({ n: 7, atMs: at(32), cell: '001-01-20', rat: 'NB-IoT' }));
    assert.equal(Math.round((await positions()).at(-1)!.latitude * 1e6) / 1e6, 1);
  });
});
