import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../test/support/fleet.ts';
import { describeOffset } from '../domain-time.ts';
import { startWorld } from './start-world.ts';

const world = await startWorld();
const MANY = 367;

describe('what people are told', () => {
  it('of equal errors of a feed is one line with a count', async () => {
    const record = (i: number) => ({
      id: `u${i}`,
      kind: 'imei',
      device: String(880_000_000_000_000 + i),
      at: '2026-01-15T00:00:00Z',
      bytes: 1,
    });
    const input = Array.from({ length: MANY }, (_, i) => `${JSON.stringify(record(i))}\n`).join('');
    const { code, err } = await world.run(['usage', '-'], { input });
    assert.equal(code, 1);
    assert.equal(err, `${MANY} lines: device is not known (lines 1, 2, 3, 4, 5, …)\n`);
  });

  it('of equal errors of a fleet document is one line with a count', async () => {
    const devices = Array.from({ length: 50 }, () => ({ accountName: ACCOUNT, imei: 'x' }));
    const { code, err } = await world.run(['import', '-'], { input: JSON.stringify({ devices }) });
    assert.equal(code, 1);
    const [, ...errors] = err.trim().split('\n');
    assert.deepEqual(errors, ['/devices/0/imei: must be 14 to 16 digits (50 times, to /devices/49/imei)']);
  });

  it('of a mistake in a fleet document is the line on which it stands', async () => {
    const plans = [{ code: 'A', name: 'A', kind: 'share' }];
    const devices = [{ accountName: ACCOUNT, imei: 'x' }];
    const input = JSON.stringify({ plans, devices }, null, 1);
    const line = input.slice(0, input.indexOf('"imei"')).split('\n').length;
    const [person, machine] = await Promise.all([
      world.run(['import', '-'], { input }),
      world.run(['import', '-', '--json'], { input }),
    ]);
    assert.equal(person.err.trim().split('\n')[1], `line ${line}: /devices/0/imei: must be 14 to 16 digits`);
    assert.equal(JSON.parse(machine.err).errors[0].line, line);
  });

  it('of callbacks to send again that are not there is that, with exit code 1', async () => {
    const [person, machine] = await Promise.all([
      world.run(['callbacks', 'resend', 'nothing']),
      world.run(['callbacks', 'resend', 'nothing', '--json']),
    ]);
    assert.deepEqual(person, {
      code: 1,
      out: 'No failed callback of request nothing found; nothing re-sent.\n',
      err: '',
    });
    assert.deepEqual(machine, { code: 1, out: '{"resent":0}\n', err: '' });
  });

  for (const [source, args, env] of [
    ['--key', ['--key', 'wrong-key'], {}],
    ['LINEKEEPER_OPERATOR_KEY', [], { LINEKEEPER_OPERATOR_KEY: 'wrong-key' }],
  ] as const)
    it(`of a refused operator key is that it came from ${source}`, async () => {
      const { code, err } = await world.run(['accounts', 'list', ...args], { env });
      assert.deepEqual(
        [code, err],
        [5, `linekeeper: The operator key is not known; the key came from ${source}.\n`],
      );
    });

  it('of how far a clock is from real time is in words', () => {
    assert.equal(describeOffset(2_678_400_000 + 61_000), '31 days 1 minute ahead of real time');
    assert.equal(describeOffset(-3_600_000), '1 hour behind real time');
    assert.equal(describeOffset(12), 'none: it is real time');
  });

  it('of times in a list is how far the clock is from real time, beside the list', async () => {
    const before = await world.run(['audit', '--limit', '1']);
    const { offsetMs } = JSON.parse((await world.run(['clock', '--json'])).out);
    const told = /^Times are from the service's clock: .* real time\.$/m.test(before.err);
    assert.equal(told, Math.abs(offsetMs) >= 1_000, before.err);
    const moved = await world.run(['clock', 'set', '2020-01-01']);
    assert.equal(moved.code, 1);
    assert.match(moved.err, /only moves forward, and 2020-01-01 is before its current time \d{4}-/);
  });
});
