import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER, USER } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from './scene.ts';

const world = await makeWorld();
const listener = await openListener();
const IMEI = '990000000000011';
const HOSTILE = '<img src=x onerror=alert(1)>';
await world.import({
  ...SMALL_FLEET,
  listeners: [{ accountName: ACCOUNT, serviceName: 'CarrierService', url: listener.url }],
});
const user = await signIn(world, USER);
const operator = await signIn(world);
const at = (path: string, account = ACCOUNT) => `/accounts/${account}${path}`;
const [{ deviceId }] = (await user.get(at(`/devices?search=${IMEI}`))).json().devices;

interface Event {
  readonly kind: string;
  readonly key: string;
  readonly what: string;
  readonly by?: string | null;
  readonly text?: string | null;
  readonly state?: string;
  readonly level?: number;
  readonly callback?: { readonly state: string };
  readonly fields?: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}
const read = async (query = ''): Promise<{ events: Event[]; next?: string }> => {
  const answer = await user.get(at(`/devices/${deviceId}/history${query}`));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const change = async (path: string, body: object) => {
  world.pass(1_000);
  const answer = await user.call(path.startsWith('/dm') ? 'PATCH' : 'POST', path, body);
  assert.equal(answer.statusCode, 200, answer.body);
  await world.engine.settle();
};
const named = { accountName: ACCOUNT, devices: [{ deviceIds: [{ id: IMEI, kind: 'imei' }] }] };

await change('/m2m/v1/devices/actions/suspend', named);
await change('/m2m/v1/devices/actions/suspend', named);
await change('/m2m/v1/devices/actions/restore', named);
await change('/dm/v1/devices', { accountname: ACCOUNT, id: deviceId, device: { name: HOSTILE } });
await change('/loc/v1/devicelocations/action/consents', {
  accountName: ACCOUNT,
  deviceList: [{ id: IMEI, kind: 'imei', consent: 3 }],
});
await change('/loc/v1/consents', { accountName: ACCOUNT, type: 'append', exclusion: [IMEI] });

describe('the history of a device', () => {
  it('200: has what was asked for of the carrier, newest first, by whom, why it was refused, and its callback', async () => {
    const { events } = await read('?kind=request');
    assert.deepEqual(
      events.map(({ what, state, by }) => [what, state, by]),
      [
        ['restore', 'done', USER.username],
        ['suspend', 'failed', USER.username],
        ['suspend', 'done', USER.username],
      ],
    );
    assert.equal(events[1]?.text, 'Device is already suspended');
    assert.deepEqual(
      events.map(({ callback }) => callback?.state),
      ['pending', 'pending', 'pending'],
    );
  });

  it('200: has every change of the device, with who made it and what it was before', async () => {
    const { events } = await read('?kind=change');
    const rename = events.find(({ what }) => what === 'updateDeviceRecord');
    assert.equal(rename?.by, USER.username);
    assert.deepEqual(rename?.fields, [{ name: 'name', before: null, after: HOSTILE }]);
    const states = events
      .filter(({ what }) => what === 'changeLineState')
      .flatMap(({ fields }) => fields ?? []);
    assert.deepEqual(states, [
      { name: 'lineState', before: 'suspend', after: 'active' },
      { name: 'lineState', before: 'active', after: 'suspend' },
    ]);
  });

  it('200: has who has said what about locating it', async () => {
    const { events } = await read('?kind=consent');
    assert.deepEqual(events.map(({ what, level, by }) => [what, level, by]).slice(0, 2), [
      ['exclude', null, USER.username],
      ['device-level', 3, USER.username],
    ]);
  });

  it('200: has everything in one list, which comes in pages of any size, each event once', async () => {
    const whole = (await read()).events.map(({ kind, key }) => `${kind} ${key}`);
    assert.ok(whole.length >= 8);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      let page = '';
      do {
        const { events, next } = await read(`?limit=${limit}${page}`);
        assert.ok(events.length <= limit);
        seen.push(...events.map(({ kind, key }) => `${kind} ${key}`));
        page = next === undefined ? '' : `&page=${encodeURIComponent(next)}`;
      } while (page !== '');
      assert.deepEqual(seen, whole);
    }
  });

  it('404: is only told in the account that has the device', async () => {
    const answer = await operator.get(at(`/devices/${deviceId}/history`, STRANGER));
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'device_unknown']);
  });
});
