import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { byImei, imei, imsi, lineOf, makeElement, makeNetworkScene, silent } from './scene.ts';

const [register, other, access] = [makeElement('hlr'), makeElement('bss'), makeElement('gw')];
const { read: _, ...writeOnly } = access.element;
const { world, ask, settle } = await makeNetworkScene({
  elements: [
    { of: register, imsi: [`${imsi(0)}-${imsi(4)}`] },
    { of: other, imsi: [`${imsi(3)}-${imsi(4)}`] },
    { of: { ...access, element: writeOnly }, afterwards: true },
  ],
  devices: [
    ...[0, 1, 2, 3, 4, 5].map((n) => lineOf(n)),
    { accountName: ACCOUNT, imei: imei(6), servicePlan: 'P-5MB' },
  ],
});
await settle();

const check = async () => {
  const { jobId } = (await world.operator('POST', '/network/check', { accountName: ACCOUNT })).json();
  await settle();
  const answer = (await world.operator('GET', `/network/check/${jobId}`)).json();
  const { lines, checked, skipped, unanswered } = answer;
  return { lines, checked, skipped, unanswered };
};

describe('a check of lines', () => {
  it('counts as checked only lines that every element that can tell has answered for', async () => {
    assert.deepEqual(await check(), { lines: 7, checked: 5, skipped: 2, unanswered: 0 });
    Object.assign(other.element, { read: async (lines: readonly object[]) => lines.map(() => undefined) });
    assert.deepEqual(await check(), { lines: 7, checked: 3, skipped: 2, unanswered: 2 });
  });

  it('counts lines apart that are being changed', async () => {
    register.answers(silent);
    await ask('actions/suspend', { accountName: ACCOUNT, devices: byImei(0, 1) });
    await settle();
    assert.deepEqual(await check(), { lines: 7, checked: 1, skipped: 4, unanswered: 2 });
  });
});
