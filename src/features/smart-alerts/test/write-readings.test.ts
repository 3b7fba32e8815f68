import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { EvaluableRule } from '../../device-management/index.ts';
import { type ActiveRule, UNTOUCHED } from '../progress.ts';
import { type Batch, makeBreath, showDevice } from '../write-readings.ts';

it('many readings of one device leave others of the process their turns, however slow its rules are', async () => {
  let turns = 0;
  const otherWork = setInterval(() => turns++, 1);
  const seen: number[] = [];
  const when = (): false => {
    const begunMs = performance.now();
    while (performance.now() - begunMs < 2);
    seen.push(turns);
    return false;
  };
  const read: EvaluableRule = {
    evaluable: true,
    dialect: 'conditions',
    when,
    clears: undefined,
    forMs: 0,
    coolDownMs: 0,
    absentMs: undefined,
    message: undefined,
  };
  const [accountName, deviceId] = ['a', 'd'];
  const rule = { ruleId: 'r', deviceId, accountName, foreignId: 'f', name: 'n', versionId: 'v', stamp: '1' };
  const active: ActiveRule = {
    rule,
    read,
    stored: undefined,
    outdated: false,
    sinceMs: 0,
    progress: UNTOUCHED,
    alertId: undefined,
  };
  const batch: Batch = {
    events: [],
    states: [],
    latest: [],
    written: { accepted: 0, duplicates: 0, late: 0, rejected: [] },
    breathe: makeBreath(),
  };
  const readings = Array.from({ length: 50 }, (_, n) => ({
    line: n,
    accountName,
    deviceId,
    atMs: n,
    saidMs: n,
    values: { t: n },
  }));
  await showDevice({ deviceId, at: null, cameAt: null, known: {}, toldAt: [] }, readings, [active], batch);
  clearInterval(otherWork);
  assert.equal(batch.written.accepted, 50);
  assert.ok(seen.at(-1)! > 0);
});
