import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startEmptyWorld } from './start-world.ts';

const service = await startEmptyWorld();
const jobs = () => service.operator('GET', '/jobs');

describe('faults', () => {
  it('sets a rule by options, lists how often it was used, and clears it', async () => {
    const set = await service.run([
      'faults',
      'set',
      '--operation',
      'operatorListJobs',
      '--times',
      '1',
      '--status',
      '503',
    ]);
    assert.equal(set.out, 'Failure rules: 1.\n');
    assert.deepEqual([(await jobs()).statusCode, (await jobs()).statusCode], [503, 200]);
    const [, row] = (await service.run(['faults'])).out.trimEnd().split('\n');
    assert.match(row!, /^\{"operation":"operatorListJobs"\} +1 +\{"status":503\} +1 +1$/);
    await service.run(['faults', 'clear']);
    assert.equal((await service.run(['faults', '--json'])).out, '[]\n');
  });

  it('takes several rules as JSON', async () => {
    const rules = [{ then: { delayMs: 1 } }, { match: { path: '/m2m/*' }, then: { drop: 'before' } }];
    const { out } = await service.run(['faults', 'set', '--rules', JSON.stringify(rules), '--json']);
    assert.deepEqual(
      JSON.parse(out).map(({ used }: { used: number }) => used),
      [0, 0],
    );
  });

  it('wants options for one rule, or JSON for several', async () => {
    for (const words of [[], ['--rules', '[]', '--status', '503']])
      assert.equal((await service.run(['faults', 'set', ...words])).code, 2);
  });
});
