import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET, mdn } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { hideSecrets } from '../secrets.ts';

const CONSENT = { consents: [{ accountName: ACCOUNT, level: 0 }] };
const world = await makeWorld();
await world.import({ ...LOCATION_FLEET, ...CONSENT });
const user = await asUser(world);
const locate = (...devices: number[]) =>
  user.call('POST', '/loc/v1/locations', {
    accountName: ACCOUNT,
    accuracyMode: '0',
    cacheMode: '2',
    deviceList: byImei(...devices).map((device, n) => ({ ...device, mdn: mdn(devices[n]!) })),
  });
interface Entry {
  readonly msid: string;
  readonly pd: unknown;
}
const answers = async (): Promise<Entry[][]> => {
  const calls = (await world.operator('GET', '/requests?operation=locateDevices')).json();
  return calls.map(({ answer }: { answer: Entry[] }) => answer);
};
const stored = () =>
  world.ctx.db.many<{ answer: string | null }>({
    text: `select answer from logged_call where operation = 'locateDevices' order by call_id desc`,
    values: [],
  });

describe('positions in the log of requests', () => {
  it('are shown while consent holds, withheld after it is withdrawn, and shown again when it is given again', async () => {
    const answered = (await locate(1, 2)).json();
    assert.ok(answered[0].pd.x !== undefined);
    assert.deepEqual((await answers())[0], answered);
    await world.import({ exclusions: [{ accountName: ACCOUNT, allDevice: false, imeis: [imei(1)] }] });
    const [first, second] = (await answers())[0]!;
    assert.deepEqual([first!.pd, second], ['[withheld]', answered[1]]);
    await user.call('DELETE', `/loc/v1/consents?accountName=${ACCOUNT}&deviceList=${imei(1)}`);
    assert.deepEqual((await answers())[0], answered);
  });

  it('are erased with those of their device', async () => {
    await locate(3);
    await locate(4);
    const erased = await world.operator('DELETE', `/devices/imei/${imei(3)}/positions`);
    assert.equal(erased.statusCode, 200);
    const [four, three] = await answers();
    assert.equal(three, null);
    assert.equal(four![0]!.msid, mdn(4));
    assert.ok(!JSON.stringify(await stored()).includes(mdn(3)));
  });

  it('are erased with those of their account', async () => {
    await locate(5);
    await world.operator('DELETE', `/accounts/${ACCOUNT}/positions`);
    assert.ok((await stored()).every(({ answer }) => answer === null));
  });

  it('are not stored for calls that do not locate', async () => {
    await world.operator('PATCH', `/devices/imei/${imei(6)}/simulation`, {
      position: { lat: 12.3456, lon: -65.4321, radius: 10 },
    });
    const [call] = (await world.operator('GET', '/requests?operation=operatorSimulateDevice')).json();
    assert.deepEqual(call.request, { position: '[withheld]' });
  });

  it('are not stored from an answer that was cut, because their consent could not be checked', () => {
    const answer =
      '[{"msid":"5550100001","pd":{"x":"12.3456"},"error":{}},{"msid":"5550100002","pd":{"x":"12.3';
    const kept = hideSecrets(answer, { operation: 'locateDevices', status: 200 }, false);
    assert.equal(
      kept,
      '[{"msid":"5550100001","pd":"[withheld]","error":{}},{"msid":"5550100002","pd":"[withheld]"',
    );
  });
});
