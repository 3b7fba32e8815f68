import assert from 'node:assert/strict';
import { it } from 'node:test';
import { trueChance } from '../../../platform/chance/chance.ts';
import type { EvaluableRule } from '../../device-management/index.ts';
import { type ActiveRule, UNTOUCHED } from '../progress.ts';
import { type Batch, Pause, showDevice } from '../write-readings.ts';

it('many readings of one device let other work of the process run, however slow its rules are', async () => {
  let ticks = 0;
  const otherWork = setInterval(() => ticks++, 1);
  const seen: number[] = [];
  const when = (): false => {
    const begunMs = performance.now();
    while (performance.now() - begunMs < 2);
    seen.push(ticks);
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
    comparisons: [],
  };
  const [accountName, deviceId] = ['a', 'd'];
  const rule = { ruleId: 'r', deviceId, accountName, foreignId: 'f', name: 'n', versionId: 'v' };
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
    chance: trueChance,
    events: [],
    states: [],
    latest: [],
    written: { accepted: 0, duplicates: 0, late: 0, rejected: [] },
    pause: new Pause(),
  };
  const readings = Array.from({ length: 50 }, (_, n) => ({
    line: n,
    accountName,
    deviceId,
    atMs: n,
    saidMs: n,
    values: { t: n },
  }));
  const device = { deviceId, atMs: null, cameMs: null, known: {}, timeDigests: '' };
  for (const _ of showDevice(device, readings, [active], batch)) await batch.pause.take();
  clearInterval(otherWork);
  assert.equal(batch.written.accepted, 50);
  assert.ok(seen.at(-1)! > 0);
});
