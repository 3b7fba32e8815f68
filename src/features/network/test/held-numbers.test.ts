import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imei, imsi, lineOf, makeElement, makeNetworkScene } from './scene.ts';

const register = makeElement('hlr');
const iccid = (n: number) => `8914800000000000${String(n).padStart(4, '0')}`;
const whole = (n: number, more: object = {}) =>
  lineOf(n, { msisdn: `1555123${String(n).padStart(4, '0')}`, iccid: iccid(n), ...more });
const { world, settle } = await makeNetworkScene({
  elements: [{ of: register }],
  devices: Array.from({ length: 6 }, (_, n) => whole(n)),
});
await settle();

const importLines = async (...devices: object[]) => {
  const before = register.orders.length;
  await world.import({ devices });
  await settle();
  return register.orders.slice(before);
};
const check = async (body: object = {}) => {
  await world.operator('POST', '/network/check', body);
  await settle();
  const found = (await world.operator('GET', '/network/differences')).json();
  return found.map(({ imsi: id, here, there }: Record<string, string>) => [id, here, there]);
};

describe('what an element holds of a line', () => {
  it('is ordered when an import changes the number, the IMEI or the card of a line, and only then', async () => {
    assert.deepEqual(await importLines(whole(0), whole(1)), []);
    const changed = [
      whole(0, { msisdn: '15559990000' }),
      whole(1, { imei: imei(91) }),
      whole(2, { iccid: iccid(92) }),
    ];
    const orders = (await importLines(...changed)).toSorted((a, b) => (a.imsi < b.imsi ? -1 : 1));
    assert.deepEqual(
      orders.map(({ imsi: id, msisdn, imei: terminal, iccid: card }) => [id, msisdn, terminal, card]),
      [
        [imsi(0), '15559990000', imei(0), iccid(0)],
        [imsi(1), '15551230001', imei(91), iccid(1)],
        [imsi(2), '15551230002', imei(2), iccid(92)],
      ],
    );
    assert.deepEqual(await check(), []);
  });

  // proves network/what-elements-hold
  it('is compared by a check, as far as the element tells it, and repaired', async () => {
    const there = (n: number) => register.lines.get(imsi(n))!;
    register.lines.set(imsi(3), { ...there(3), msisdn: '15550000003', imei: undefined });
    register.lines.set(imsi(4), { ...there(4), plan: 'P-50MB', state: 'suspended', iccid: null });
    register.lines.delete(imsi(5));
    assert.deepEqual(await check(), [
      [imsi(3), 'active, msisdn 15551230003', 'active, msisdn 15550000003'],
      [imsi(4), `active, iccid ${iccid(4)}, plan P-5MB`, 'suspended, iccid none, plan P-50MB'],
      [imsi(5), 'active', 'unknown'],
    ]);
    await check({ repair: true });
    for (const n of [3, 4, 5]) {
      const { state, msisdn, imei: terminal, iccid: card, plan } = there(n);
      assert.deepEqual(
        [state, msisdn, terminal, card, plan],
        ['active', `1555123000${n}`, imei(n), iccid(n), 'P-5MB'],
      );
    }
    assert.deepEqual(await check(), []);
  });

  it('of a suspended line is compared and recreated, too', async () => {
    await importLines(whole(3, { state: 'suspend' }));
    register.lines.delete(imsi(3));
    assert.deepEqual(await check({ repair: true }), []);
    const { state, msisdn } = register.lines.get(imsi(3))!;
    assert.deepEqual([state, msisdn], ['suspended', '15551230003']);
    assert.deepEqual(await importLines(whole(3, { state: 'suspend', msisdn: '15558880003' })), [
      register.orders.at(-1),
    ]);
    assert.equal(register.lines.get(imsi(3))?.msisdn, '15558880003');
  });

  it('is a difference if the element refuses to change it', async () => {
    const held: Record<string, string> = { msisdn: '15551230004', imei: imei(4), iccid: iccid(4) };
    for (const [name, changed] of [
      ['msisdn', '15558880004'],
      ['imei', imei(94)],
      ['iccid', iccid(94)],
    ] as const) {
      register.answers({ outcome: 'refused', reason: 'it is taken' });
      await importLines(whole(4, { [name]: changed }));
      const differences = (await world.operator('GET', '/network/differences')).json();
      assert.deepEqual(
        differences.map(({ here, there }: Record<string, string>) => [here, there]),
        [[`active, ${name} ${changed}`, `active, ${name} ${held[name]}`]],
      );
      register.answers({ outcome: 'done' });
      assert.deepEqual(await check({ repair: true }), []);
      await importLines(whole(4));
    }
  });
});
