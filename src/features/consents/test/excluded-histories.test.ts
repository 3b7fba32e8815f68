import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { listWithheld } from '../index.ts';
import { toIntervals } from '../ledger/intervals.ts';
import { listLedger } from '../ledger/sql-ledger.ts';
import * as scene from './scene.ts';

const { call, db, clock, pass, deviceIdOf, ...world } = await scene.makeScene();
const { TENANT } = scene;
const accountName = ACCOUNT;
const imeiOf = (n: number) => `99000000000050${n}`;
const meidOf = (n: number) => `A000001234550${n}`;

const change = (body: object) => call('POST', '/loc/v1/consents', { accountName, ...body });
const remove = (id: string) => call('DELETE', `/loc/v1/consents?accountName=${accountName}&deviceList=${id}`);
const importDevice = (meid: string, imei: string) => world.import({ devices: [{ accountName, meid, imei }] });
const deleteDevice = (meid: string) => world.operator('DELETE', `/devices/meid/${meid}`);
const listed = async (): Promise<string[]> =>
  (await call('GET', `/loc/v1/consents/${accountName}`)).json().exclusion;

const BEGIN = new Date(clock.now().getTime() - 1);

/**
 * Compares the two sources that decide: the check before any location is sent, and the consent history. The history
 * must be the same whether it is read from now on or from its beginning.
 */
async function isExcluded(meid: string): Promise<boolean> {
  const deviceId = await deviceIdOf('meid', meid);
  const withheld = await listWithheld(db, TENANT, [deviceId], 'coarse');
  const [now, soon] = [clock.now(), new Date(clock.now().getTime() + 1)];
  const device = { ...TENANT, deviceId };
  const read = async (from: Date) =>
    toIntervals(await listLedger(db, device, { from, to: soon, limit: 1_000 }), from, soon).at(-1);
  const held = await read(now);
  assert.deepEqual({ ...(await read(BEGIN)), from: null }, { ...held, from: null });
  assert.equal(
    held?.basis === 'device-excluded',
    withheld.get(deviceId) === 'excluded',
    'the ledger differs',
  );
  return withheld.get(deviceId) === 'excluded';
}
const clear = () => change({ allDevice: false, exclusion: [] });

describe('an identifier in the exclusion list', () => {
  const [X, Y, Z] = [imeiOf(1), imeiOf(2), imeiOf(3)];
  const [A, B] = [meidOf(1), meidOf(2)];

  it('excludes the device that is imported again under it after its deletion, even if it is renamed after a new listing', async () => {
    await importDevice(A, X);
    await change({ exclusion: [X] });
    for (const again of [
      () => change({ type: 'append', exclusion: [X] }),
      () => change({ exclusion: [X] }),
      () => world.import({ exclusions: [{ accountName, imeis: [X] }] }),
    ]) {
      await deleteDevice(A);
      assert.deepEqual(await listed(), [X]);
      await importDevice(A, X);
      assert.equal(await isExcluded(A), true);
      await again();
      await importDevice(A, Z);
      assert.equal(await isExcluded(A), true);
      await importDevice(A, X);
    }
    await remove(X);
    assert.equal(await isExcluded(A), false);
  });

  it('excludes both its present device and the device it was listed for, until it is removed', async () => {
    await change({ exclusion: [X] });
    await importDevice(A, Y);
    await importDevice(B, X);
    assert.deepEqual([await isExcluded(A), await isExcluded(B)], [true, true]);
    const before = (await world.operator('GET', `/export?accountName=${accountName}`)).json().exclusions;
    await world.import({ exclusions: before });
    assert.deepEqual([await isExcluded(A), await isExcluded(B)], [true, true]);
    await importDevice(B, Z);
    assert.equal(await isExcluded(B), true, 'the import listed it for the device that has it');
    await remove(X);
    assert.deepEqual([await isExcluded(A), await isExcluded(B)], [false, false]);
  });

  it('still excludes its present device when the device it was listed for is removed', async () => {
    await importDevice(A, X);
    await change({ exclusion: [X] });
    await importDevice(A, Y);
    await importDevice(B, X);
    await remove(Y);
    assert.deepEqual([await isExcluded(A), await isExcluded(B), await listed()], [false, true, [X]]);
    await clear();
  });

  it('still excludes the device it was listed for when its present device is removed by another name, but not by this one', async () => {
    for (const [name, expected] of [
      [B, [Y]],
      [X, []],
    ] as const) {
      await deleteDevice(B);
      await importDevice(A, X);
      await change({ exclusion: [X] });
      await importDevice(A, Y);
      await importDevice(B, X);
      await remove(name);
      assert.deepEqual(await listed(), expected);
      assert.deepEqual([await isExcluded(A), await isExcluded(B)], [expected.length > 0, false]);
    }
  });
});

describe('DELETE /loc/v1/consents', () => {
  const [X, Y, Z] = [imeiOf(5), imeiOf(6), imeiOf(7)];
  const A = meidOf(5);

  it('200: names what is not listed; entries for a former identifier, or without a device, count as listed', async () => {
    await importDevice(A, X);
    await change({ exclusion: [X] });
    await world.import({ exclusions: [{ accountName, imeis: [X, Z] }] });
    await importDevice(A, Y);
    const ids = `${Y},${Z},${imeiOf(8)}`;
    assert.deepEqual((await remove(ids)).json(), { success: true, notListed: [imeiOf(8)] });
    assert.deepEqual(await listed(), []);
  });
});

describe('an excluded device', () => {
  it('stays excluded through any history of lists, imports, deletions and changed identifiers, and the ledger agrees', async () => {
    const random = randomFor('histories of exclusion');
    const pick = (n: number) => random.between(0, n - 1);
    const devices = new Map<string, string>();
    const entries = new Map<string, Set<string>>();
    const holderOf = (id: string) => [...devices].find(([meid, imei]) => meid === id || imei === id)?.[0];
    const add = (id: string, meid?: string) => {
      const its = entries.get(id) ?? new Set<string>();
      if (meid !== undefined) its.add(meid);
      entries.set(id, its);
    };
    const idsOf = (meid: string) => [devices.get(meid)!, meid];
    const listFor = (meid: string, id?: string) => {
      if ([...entries.values()].some((its) => its.has(meid))) return;
      const own = idsOf(meid).toSorted();
      add(own.find((one) => entries.has(one)) ?? id ?? own[0]!, meid);
    };
    const replace = (ids: readonly string[]) => {
      for (const id of [...entries.keys()]) if (!ids.includes(id)) entries.delete(id);
      for (const id of ids) add(id, holderOf(id));
    };
    for (const n of [1, 2]) await deleteDevice(meidOf(n));
    /** Each returns whether there was anything to do. */
    const acts: (() => Promise<boolean>)[] = [
      async () => {
        const [meid, imei] = [meidOf(pick(4)), imeiOf(pick(4))];
        if (holderOf(imei) !== undefined) return false;
        await importDevice(meid, imei);
        // What excludes it by its former identifier excludes it under the next one.
        const former = devices.get(meid);
        if (former !== undefined && former !== imei) entries.get(former)?.add(meid);
        devices.set(meid, imei);
        return true;
      },
      async () => {
        const meid = meidOf(pick(4));
        if (!devices.has(meid)) return false;
        await deleteDevice(meid);
        devices.delete(meid);
        for (const its of entries.values()) its.delete(meid);
        return true;
      },
      async () => {
        const id = pick(2) === 0 ? meidOf(pick(4)) : imeiOf(pick(4));
        const holder = holderOf(id);
        const type = pick(2) === 0 ? 'append' : 'replace';
        const answer = await change({ type, exclusion: [id] });
        assert.equal(answer.statusCode, holder === undefined ? 400 : 200);
        if (holder === undefined) return true;
        if (type === 'replace') replace([id]);
        else listFor(holder, id);
        return true;
      },
      async () => {
        const id = pick(2) === 0 ? meidOf(pick(4)) : imeiOf(pick(4));
        const holder = holderOf(id);
        await remove(id);
        entries.delete(id);
        if (holder === undefined) return true;
        const orphaned = idsOf(holder).flatMap((one) => [...(entries.get(one) ?? [])]);
        for (const one of idsOf(holder)) entries.delete(one);
        for (const [one, its] of entries)
          if (its.delete(holder) && its.size === 0 && holderOf(one) === undefined) entries.delete(one);
        for (const meid of orphaned) if (meid !== holder) listFor(meid);
        return true;
      },
      async () => {
        const imeis = [0, 1, 2, 3].filter(() => pick(2) === 0).map(imeiOf);
        await world.import({ exclusions: [{ accountName, imeis }] });
        replace(imeis);
        return true;
      },
    ];
    for (let step = 0; step < 75; ) {
      if (!(await acts[pick(acts.length)]!())) continue;
      step++;
      if (pick(3) > 0) pass(1_000);
      assert.deepEqual(await listed(), [...entries.keys()].toSorted(), `step ${step}`);
      for (const [meid] of devices) {
        const expected =
          idsOf(meid).some((id) => entries.has(id)) || [...entries.values()].some((its) => its.has(meid));
        assert.equal(await isExcluded(meid), expected, `step ${step}`);
      }
    }
  });
});
