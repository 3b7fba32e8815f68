import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { makeScene } from '../../sdk/test/scene.ts';
import { createDriver } from '../driver.ts';
import { recordsBetween } from '../life/records.ts';
import { stateOf } from '../life/state.ts';
import { DAY, HOUR } from '../life/time.ts';
import type { Memory } from '../memory.ts';
import { readRoster } from '../roster.ts';

const SEED = 'driver';
const [TRUCK, METER, SWITCHED_OFF, FOREIGN] = [
  '997100110000018',
  '007100210000019',
  '997100110000026',
  '990000000000052',
];
const account = { accountName: '0000123456-00001', servicePlan: 'P-5MB', state: 'active' };

const scene = await makeScene();
await scene.import({
  devices: [
    { ...account, imei: TRUCK, labels: [{ name: 'Site', value: 'Dallas' }] },
    { ...account, imei: METER, simulation: { position: { lat: 36.7, lon: -119.7, radius: 300 } } },
    { ...account, imei: SWITCHED_OFF, simulation: { online: false } },
    { ...account, imei: FOREIGN },
  ],
});
const { operatorClient: operator, takeSent } = scene;
const now = () => scene.clock.now();
const begin = (memory: Memory = { last: undefined, offline: [] }) => {
  const saved: Memory[] = [];
  const save = async (state: Memory) => void saved.push(structuredClone(state));
  return { ...createDriver({ operator, seed: SEED, memory, save }), memory, saved };
};
const isOnline = async (imei: string) =>
  (await scene.operator('GET', `/devices/imei/${imei}`)).json().simulation.online;

describe('the roster', () => {
  it('has the devices of the demo fleet by their type, and nobody else', async () => {
    const roster = await readRoster(operator);
    assert.deepEqual(
      roster.map(({ id, profile, silenced }) => [id, profile, silenced]).toSorted(),
      [
        [METER, 'meter', false],
        [TRUCK, 'tracker', false],
        [SWITCHED_OFF, 'tracker', true],
      ].toSorted(),
    );
    assert.deepEqual(roster.find(({ id }) => id === METER)?.home, { lat: 36.7, lon: -119.7 });
  });
});

describe('a tick', () => {
  it('without a memory begins at the present: everybody has a place, and nothing was used', async () => {
    const driver = begin();
    const { devices, usage } = await driver.tick({ until: now(), passing: false });
    assert.deepEqual([devices, usage], [2, 0]);
    assert.equal(driver.memory.last, now().toISOString());
  });

  it('sends what happened since the last one, in halves of days, and nothing when it is asked again', async () => {
    const driver = begin({ last: now().toISOString(), offline: [] });
    const from = now();
    scene.pass(20 * HOUR);
    const [truck] = (await readRoster(operator)).filter(({ id }) => id === TRUCK);
    const expected = recordsBetween(truck!, SEED, from, now()).usage;
    await driver.tick({ until: now(), passing: false });
    assert.deepEqual(
      driver.saved.map(({ last }) => Date.parse(last ?? '')),
      [from.getTime() + 12 * HOUR, now().getTime()],
    );
    const raw = expected.map((record) => JSON.stringify(record)).join('\n');
    const again = await operator.call('POST /operator/v1/usage', { raw });
    assert.deepEqual([again.accepted, again.duplicates], [0, expected.length]);
    takeSent();
    const { usage, readings } = await driver.tick({ until: now(), passing: false });
    assert.deepEqual([usage, readings, takeSent()], [0, 0, []]);
  });

  it('on the way sends what was made up ahead, and what has come since then, each once', async () => {
    const driver = begin({ last: now().toISOString(), offline: [] });
    const from = now();
    const [truck] = (await readRoster(operator)).filter(({ id }) => id === TRUCK);
    scene.pass(HOUR);
    const first = await driver.tick({
      until: now(),
      passing: true,
      next: new Date(now().getTime() + 10 * HOUR),
    });
    // The driver generates the next records after the response.
    await setImmediate();
    scene.pass(10 * HOUR + HOUR / 2);
    const second = await driver.tick({ until: now(), passing: true });
    const expected = recordsBetween(truck!, SEED, from, now()).usage;
    const raw = expected.map((record) => JSON.stringify(record)).join('\n');
    const again = await operator.call('POST /operator/v1/usage', { raw });
    assert.deepEqual([again.accepted, again.duplicates], [0, expected.length]);
    const devices = (await readRoster(operator)).filter(({ silenced }) => !silenced);
    const all = devices.flatMap((device) => recordsBetween(device, SEED, from, now()).usage);
    assert.equal(first.usage + second.usage, all.length);
  });

  // proves operating/stopped-fleets
  it('begins where the fleet was made to live again, not where it stopped', async () => {
    const driver = begin({ last: now().toISOString(), offline: [] });
    scene.pass(DAY);
    const { usage } = await driver.tick({ until: now(), passing: true, since: now() });
    assert.equal(usage, 0);
  });

  it('tells the network who is out of coverage and who is back, and wakes nobody who was switched off', async () => {
    const [truck] = (await readRoster(operator)).filter(({ id }) => id === TRUCK);
    const driver = begin({ last: now().toISOString(), offline: [] });
    const passUntil = async (online: boolean) => {
      while (stateOf(truck!, SEED, now()).online !== online) scene.pass(60_000);
      await driver.tick({ until: now(), passing: true, since: now() });
    };
    await passUntil(false);
    assert.deepEqual([await isOnline(TRUCK), driver.memory.offline], [false, [TRUCK]]);
    // Another process continues with what this one remembered.
    const next = begin(driver.memory);
    while (!stateOf(truck!, SEED, now()).online) scene.pass(60_000);
    await next.tick({ until: now(), passing: true, since: now() });
    assert.deepEqual([await isOnline(TRUCK), next.memory.offline], [true, []]);
    assert.equal(await isOnline(SWITCHED_OFF), false);
  });

  it('on the way sends nothing of a line that was suspended since the one before, where lines may have changed', async () => {
    const driver = begin({ last: now().toISOString(), offline: [] });
    const passed = async (changed: boolean) => {
      scene.pass(DAY);
      return (await driver.tick({ until: now(), passing: true, changed })).devices;
    };
    const before = await passed(false);
    const setState = (state: string) => scene.operator('POST', `/devices/imei/${METER}/state`, { state });
    assert.equal((await setState('suspend')).statusCode, 200);
    scene.pass(HOUR);
    const { devices } = await driver.tick({ until: now(), passing: true, changed: true });
    assert.equal(devices, before - 1);
    await setState('active');
  });

  // proves operating/stopped-fleets
  it('that the service does not take is not remembered, and the next one makes up for it', async () => {
    const last = now().toISOString();
    const memory: Memory = { last, offline: [] };
    const deaf = createDriver({
      operator: { ...operator, call: () => Promise.reject(new Error('no answer')) },
      seed: SEED,
      memory,
      save: async () => {},
    });
    scene.pass(DAY);
    await assert.rejects(deaf.tick({ until: now(), passing: false }), /no answer/);
    assert.equal(memory.last, last);
    const { usage } = await begin(memory).tick({ until: now(), passing: false });
    assert.ok(usage > 5);
  });
});
