import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ACCOUNT } from '../../../test/support/fleet.ts';
import { startWorld } from './start-world.ts';

const service = await startWorld();

const json = async (...args: string[]) => {
  const { code, out, err } = await service.run([...args, '--json']);
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out);
};

describe('commands about usage and readings', () => {
  it('feeds usage, names what was rejected, and reconciles', async () => {
    const { now: at } = await json('clock');
    const lines = ['a', 'b', 'a'].map((id) =>
      JSON.stringify({ id, kind: 'imei', device: '990000000000011', at, bytes: 5 }),
    );
    const packed = gzipSync([...lines, '{'].join('\n'));
    const first = await service.run(['usage', '-'], { input: packed });
    assert.deepEqual(first, {
      code: 1,
      out: 'Accepted 2 records; 1 duplicates, 1 rejected.\n',
      err: 'line 4: is not valid JSON\n',
    });
    const again = { accepted: 0, duplicates: 3, rejected: [], rejectedTotal: 0 };
    const fed = await service.run(['usage', '-', '--json'], { input: lines.join('\n') });
    assert.deepEqual(JSON.parse(fed.out), again);
    const { accepted } = JSON.parse(
      (await service.run(['usage', '-', '--source', 'north', '--json'], { input: lines.join('\n') })).out,
    );
    assert.equal(accepted, 2);
    const summary = '3 counters of 3 accounts, 0 differences.\n';
    assert.deepEqual(await service.run(['reconcile']), { code: 0, out: summary, err: '' });
    assert.deepEqual(await json('reconcile', ACCOUNT), { accounts: 1, checked: 3, differences: 0 });
  });

  it('feeds readings, and says what came late', async () => {
    const { now: at } = await json('clock');
    const reading = { kind: 'imei', device: '990000000000011', at, values: { t: 5 } };
    const lines = [
      reading,
      { ...reading, at: new Date(Date.parse(at) - 60_000).toISOString() },
      { ...reading, values: {} },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const fed = await service.run(['readings', '-'], { input });
    assert.equal(fed.out, 'Accepted 2 readings; 0 duplicates, 0 late, 1 rejected.\n');
    assert.deepEqual([fed.code, fed.err.startsWith('line 3: values')], [1, true]);
    assert.equal(
      (await service.run(['readings', '-'], { input })).out,
      'Accepted 0 readings; 1 duplicates, 1 late, 1 rejected.\n',
    );
  });
});

describe('commands about positions', () => {
  it('feed them, and name what was rejected', async () => {
    const { now: at } = await json('clock');
    const record = { kind: 'imei', device: '990000000000011', at, lat: 32.9, lon: -97.1, radius: 300 };
    const input = [record, { ...record, lat: 91 }].map((one) => JSON.stringify(one)).join('\n');
    const { code, out, err } = await service.run(['positions', '-'], { input });
    assert.deepEqual([code, out], [1, 'Accepted 1 positions; 1 rejected.\n']);
    assert.match(err, /^line 2: /);
  });
});
