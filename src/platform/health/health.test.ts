import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHealth, FAILED_PASSES_MAX } from './health.ts';

const MINUTE_MS = 60_000;

function makeHealth() {
  let nowMs = 0;
  const health = createHealth(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const names = () => health.failing().map(({ check }) => check);
  return { ...health, pass, names };
}
const failTimes = (loop: { failed(error: unknown): void }, times: number) => {
  for (let n = 0; n < times; n++) loop.failed(new Error('with what a customer sent'));
};

describe('the health of a process', () => {
  it('fails after three failed passes in a row, and not before, until a pass succeeds', () => {
    const { loop, names, failing } = makeHealth();
    const claim = loop('claim');
    claim.begin();
    failTimes(claim, FAILED_PASSES_MAX - 1);
    claim.passed();
    failTimes(claim, FAILED_PASSES_MAX - 1);
    assert.deepEqual(names(), []);
    failTimes(claim, 1);
    assert.deepEqual(failing(), [{ check: 'claim', reason: '3 passes in a row have failed: Error' }]);
    claim.passed();
    assert.deepEqual(names(), []);
  });

  it('ignores loops that this process does not run, does not need, or rests', () => {
    const { loop, names, failedPasses } = makeHealth();
    failTimes(loop('never begun'), 3);
    const helpful = loop('helpful', { vital: false });
    helpful.begin();
    failTimes(helpful, 3);
    const resting = loop('resting');
    resting.begin();
    failTimes(resting, 3);
    assert.deepEqual(names(), ['resting']);
    resting.rest();
    assert.deepEqual(names(), []);
    assert.deepEqual(failedPasses(), { helpful: 3, resting: 0 });
  });

  it('fails if a loop is silent for minutes, unless it is occasional', () => {
    const { loop, names, pass } = makeHealth();
    loop('hangs').begin();
    loop('occasional', { occasional: true }).begin();
    loop('rests').rest();
    pass(4 * MINUTE_MS);
    assert.deepEqual(names(), []);
    pass(2 * MINUTE_MS);
    assert.deepEqual(names(), ['hangs']);
    loop('hangs').passed();
    assert.deepEqual(names(), []);
  });

  it('forgets a failure if there has been no work since', () => {
    const { loop, names, pass } = makeHealth();
    const record = loop('record', { occasional: true });
    record.begin();
    failTimes(record, 3);
    pass(MINUTE_MS);
    assert.deepEqual(names(), ['record']);
    pass(1);
    assert.deepEqual(names(), []);
    failTimes(record, 1);
    assert.deepEqual(names(), []);
  });

  it('reports for every check whether it passes', () => {
    const { addCheck, loop, checks } = makeHealth();
    addCheck('clock', () => 'it is wrong');
    addCheck('database', () => undefined);
    loop('claim').begin();
    assert.deepEqual(checks(), { clock: 0, database: 1, claim: 1 });
  });
});
