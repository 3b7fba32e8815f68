import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { byImei, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const [dead, alive] = [makeElement('dead'), makeElement('alive')];
const { world, ask, settle } = await makeNetworkScene({
  elements: [
    { of: dead, imsi: [lineOf(0).imsi, lineOf(1).imsi] },
    { of: alive, imsi: [lineOf(2).imsi] },
  ],
  devices: [lineOf(0), lineOf(1), lineOf(2)],
});
await settle();

async function metricOf(metric: string, element: string): Promise<number> {
  const { body } = await world.api.inject('/metrics');
  const series = `linekeeper_network_${metric}{element="${element}"} `;
  return Number(
    body
      .split('\n')
      .find((line) => line.startsWith(series))
      ?.slice(series.length),
  );
}

describe('the metrics of network elements', () => {
  it('report the backlog of each, even of one that does not answer', async () => {
    dead.answers(silent);
    await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(0, 1, 2) });
    await settle();
    assert.equal(await metricOf('backlog', 'dead'), 2);
    assert.equal(await metricOf('backlog', 'alive'), 0);
    assert.ok((await metricOf('lag_seconds', 'dead')) > 0);
    assert.equal(await metricOf('differences', 'dead'), 0);
  });

  it('report lines that differ on an element', async () => {
    alive.lines.set(lineOf(2).imsi, { state: 'active', plan: undefined });
    await world.operator('POST', '/network/check', {});
    await settle();
    assert.equal(await metricOf('differences', 'alive'), 1);
  });
});
