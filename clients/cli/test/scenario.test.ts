import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCENARIOS } from '../../simulator/scenarios/index.ts';
import { startWorld } from './start-world.ts';

const world = await startWorld();

describe('scenario', () => {
  for (const { name } of SCENARIOS) {
    it(`${name} ends as it should`, async () => {
      const { code, out, err } = await world.run(['scenario', name]);
      assert.equal(code, 0, `${out}\n${err}`);
      assert.doesNotMatch(out, /^ {2}NO/m);
      assert.match(out, /^All \d+ checks passed\.$/m);
    });
  }
});
