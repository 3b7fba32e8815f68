import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startCli } from './run-cli.ts';
import { startEmptyWorld } from './start-world.ts';

const ACCOUNT = '0000123456-00001';
const LINES = 3;
const imsi = (n: number) => `31148000000000${n}`;

/** An element that keeps lines in memory and reports them when the test allows it. */
const lines = new Map<string, string>();
let telling = Promise.withResolvers<void>();
telling.resolve();
let dumb = false;
const element = {
  name: 'hlr-1',
  kind: 'test',
  batchMax: 100,
  carryOut: async (orders: readonly { imsi: string; wanted: string }[]) =>
    orders.map((order) => {
      lines.set(order.imsi, order.wanted);
      return { outcome: 'done' } as const;
    }),
  async read(asked: readonly { imsi: string }[]) {
    await telling.promise;
    if (dumb) return asked.map(() => undefined);
    return asked.map((line) => ({ state: (lines.get(line.imsi) ?? 'unknown') as 'active' | 'unknown' }));
  },
  close: async () => {},
};
const service = await startEmptyWorld({
  runs: true,
  elements: { served: [{ name: element.name, element, afterwards: false }], openMs: 1 },
});
const env = { LINEKEEPER_DATA_DIR: service.dataDir };
const FLEET = JSON.stringify({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [{ accountName: ACCOUNT, ecpdId: '9000001' }],
  plans: [{ code: 'P-5MB', name: '5 MB', kind: 'payAsYouGo' }],
  devices: Array.from({ length: LINES }, (_, n) => ({
    ...{ accountName: ACCOUNT, imei: `99000000000000${n}`, imsi: imsi(n), servicePlan: 'P-5MB' },
  })),
});
const check = (...args: string[]) => service.run(['network', 'check', ...args]);

describe('network check', () => {
  before(async () => {
    assert.equal((await service.run(['import', '-'], { input: FLEET })).code, 0);
    const backlog = async () =>
      JSON.parse((await service.run(['network', 'elements', '--json'])).out).elements[0].backlog;
    while ((await backlog()) > 0);
  });

  it('waits for the end, and ends with 0 where nothing differs', async () => {
    const { code, out, err } = await check('--json', '--account', ACCOUNT);
    const { jobId, ...answer } = JSON.parse(out);
    assert.match(jobId, /^[0-9a-f-]{36}$/);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(answer, {
      ...{ state: 'done', accounts: 1, accountsEnded: 1, lines: LINES, checked: LINES },
      ...{ skipped: 0, differences: 0, unanswered: 0, silent: [], left: 0, repairing: 0 },
    });
  });

  it('shows on a terminal how far it is', async () => {
    telling = Promise.withResolvers();
    const running = startCli(['network', 'check'], { env, columns: 120 });
    await running.remarked(/\[-+\] 0% {2}0 of 3 lines {2}0 differences/);
    telling.resolve();
    const { code, out } = await running.ended;
    assert.deepEqual([code, out], [0, '3 lines of 1 accounts, 0 differences, 0 left.\n']);
  });

  it('ends with 1 where something differs, and with 0 when that is repaired', async () => {
    lines.set(imsi(0), 'suspended');
    lines.delete(imsi(1));
    const found = await check();
    assert.deepEqual(
      [found.code, found.out],
      [
        1,
        '3 lines of 1 accounts, 2 differences, 2 left. linekeeper network differences lists the remaining ones.\n',
      ],
    );
    const repaired = await check('--repair');
    assert.deepEqual([repaired.code, repaired.out], [0, '3 lines of 1 accounts, 2 differences, 0 left.\n']);
    assert.deepEqual([lines.get(imsi(0)), lines.get(imsi(1))], ['active', 'active']);
  });

  it('ends with 1 where an element does not answer, and names it', async () => {
    dumb = true;
    const { code, out } = await check();
    dumb = false;
    assert.deepEqual(
      [code, out],
      [
        1,
        '0 lines of 1 accounts, 0 differences, 0 left. Elements did not report the state of 3 lines. ' +
          'These elements stopped answering and were not asked for all lines: hlr-1.\n',
      ],
    );
  });

  it('only starts it when it is not to wait, and can be followed later', async () => {
    const started = await check('--no-wait', '--json');
    const { jobId } = JSON.parse(started.out);
    assert.equal(started.code, 0);
    const { code, out } = await check('--follow', jobId);
    assert.deepEqual([code, out], [0, '3 lines of 1 accounts, 0 differences, 0 left.\n']);
    const unknown = await check('--follow', '00000000-0000-4000-8000-000000000000');
    assert.deepEqual([unknown.code, unknown.out], [6, '']);
  });
});
