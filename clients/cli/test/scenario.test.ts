import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCENARIOS } from '../../simulator/scenarios/index.ts';
import { startWorld } from './start-world.ts';

const world = await startWorld();

describe('scenario', () => {
  it('list names every scenario, also as JSON', async () => {
    const { code, out } = await world.run(['scenario', 'list']);
    assert.equal(code, 0);
    for (const { name } of SCENARIOS) assert.match(out, new RegExp(`^${name} `, 'm'));
    const { out: json } = await world.run(['scenario', 'list', '--json']);
    assert.deepEqual(
      JSON.parse(json).map(({ name }: { name: string }) => name),
      SCENARIOS.map(({ name }) => name),
    );
  });

  for (const { name } of SCENARIOS) {
    it(`${name} ends as it should`, async () => {
      const { code, out, err } = await world.run(['scenario', name]);
      assert.equal(code, 0, `${out}\n${err}`);
      assert.doesNotMatch(out, /^ {2}NO/m);
      assert.match(out, /^All \d+ checks hold\.$/m);
    });
  }

  it('overage can be played again, and tells it as JSON', async () => {
    const { code, out } = await world.run(['scenario', 'overage', '--json']);
    const { scenario, ok, checks } = JSON.parse(out);
    assert.deepEqual([code, scenario, ok], [0, 'overage', true], out);
    assert.ok(checks.length > 4);
  });

  it('that does not end as it should says so with exit code 1', async () => {
    const pause = { accountName: '0000960002-00001', serviceName: 'CarrierService' };
    // Paused between the import and the first attempt, nothing is sent, so that no attempt can fail.
    const watching = setInterval(() => {
      world.operator('POST', '/callbacks/pause', pause).then(
        () => {},
        () => {},
      );
    }, 5);
    const { code, out } = await world.run(['scenario', 'dead-listener']);
    clearInterval(watching);
    assert.equal(code, 1, out);
    assert.match(out, /^ {2}NO/m);
  });

  it('of an unknown name is wrong usage', async () => {
    assert.equal((await world.run(['scenario', 'happy-end'])).code, 2);
  });
});
