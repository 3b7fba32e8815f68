import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { at, makeSessionWorld, report } from './scene.ts';

const world = await makeSessionWorld();
const taker = world.taker();

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

  it('is imported as it is exchanged, and what is no cell in it is named by its line', async () => {
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

  it('makes the cell of a report a coarse position at the time of the report, the newest of each line', async () => {
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
});
