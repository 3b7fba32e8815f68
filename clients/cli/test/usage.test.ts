import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type RunningService, startService } from './start-service.ts';

const ACCOUNT = '0000123456-00001';
const FLEET = JSON.stringify({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [{ accountName: ACCOUNT, ecpdId: '9000001' }],
  devices: [{ accountName: ACCOUNT, imei: '990000000000001' }],
});

let service: RunningService;
before(async () => {
  service = await startService();
  assert.equal((await service.run(['import', '-'], { input: FLEET })).code, 0);
});
after(() => service.stop());

const json = async (...args: string[]) => {
  const { code, out, err } = await service.run([...args, '--json']);
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out);
};

describe('commands about usage and readings', () => {
  it('feeds usage, names what was rejected, and reconciles', async () => {
    const { now: at } = await json('clock');
    const lines = ['a', 'b', 'a'].map((id) =>
      JSON.stringify({ id, kind: 'imei', device: '990000000000001', at, bytes: 5 }),
    );
    const packed = gzipSync([...lines, '{'].join('\n'));
    const first = await service.run(['usage', '-'], { input: packed });
    assert.deepEqual(first, {
      code: 1,
      out: 'Accepted 2 records; 1 were there before, 1 were rejected.\n',
      err: 'line 4: is not valid JSON\n',
    });
    const file = join(service.dataDir, 'usage.ndjson');
    await writeFile(file, lines.join('\n'));
    const again = { accepted: 0, duplicates: 3, rejected: [], rejectedTotal: 0 };
    assert.deepEqual(await json('usage', file), again);
    const summary = '3 counters of 1 accounts, 0 differences.\n';
    assert.deepEqual(await service.run(['reconcile']), { code: 0, out: summary, err: '' });
    assert.deepEqual(await json('reconcile', ACCOUNT), { accounts: 1, checked: 3, differences: 0 });
  });

  it('feeds readings, and says what came late', async () => {
    const { now: at } = await json('clock');
    const reading = { kind: 'imei', device: '990000000000001', at, values: { t: 5 } };
    const lines = [
      reading,
      { ...reading, at: new Date(Date.parse(at) - 60_000).toISOString() },
      { ...reading, values: {} },
    ];
    const file = join(service.dataDir, 'readings.ndjson');
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const fed = await service.run(['readings', file]);
    assert.equal(fed.out, 'Accepted 2 readings; 0 were there before, 0 came late, 1 were rejected.\n');
    assert.deepEqual([fed.code, fed.err.startsWith('line 3: values')], [1, true]);
    assert.equal(
      (await service.run(['readings', file])).out,
      'Accepted 0 readings; 1 were there before, 1 came late, 1 were rejected.\n',
    );
  });
});
