import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import type { EcpdId } from '../../src/kernel/account-name.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { asUser, CLIENT } from './fleet.ts';
import { openListener } from './listener.ts';
import { placeOf } from './worker-server.ts';
import { makeWorld } from './world.ts';

/** Two profiles whose rows are on different workers. */
async function findApart(db: Db): Promise<[string, string]> {
  const first = await placeOf(db, '8000000');
  for (let n = 1; n < 100; n++)
    if ((await placeOf(db, String(8_000_000 + n))).port !== first.port)
      return ['8000000', String(8_000_000 + n)];
  throw new Error('all profiles are on one worker');
}

export async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; !(await what()); tries++) {
    assert.ok(tries < 300, 'it takes too long');
    await sleep(100);
  }
}

/** Two customers on different workers, each with a device, a user and a listener. */
export async function openCustomersApart(
  more: Pick<Parameters<typeof makeWorld>[0] & object, 'elements'> = {},
) {
  const world = await makeWorld({ runs: true, checksWorkers: true, ...more });
  const { ctx, api } = world;
  const listener = await openListener();
  const both = await findApart(ctx.db);
  const [one, other] = both;
  const accountOf = (ecpdId: string) => `${ecpdId.padStart(10, '0')}-00001`;
  const imeiOf = (ecpdId: string) => (ecpdId === one ? '990000000000011' : '990000000000029');
  const imsiOf = (ecpdId: string) => `31148000${ecpdId}`;
  const userOf = (ecpdId: string) => ({ username: `u${ecpdId}`, password: `password-${ecpdId}` });
  await world.import({
    profiles: both.map((ecpdId) => ({ ecpdId })),
    accounts: both.map((ecpdId) => ({ ecpdId, accountName: accountOf(ecpdId) })),
    clients: [CLIENT],
    users: both.map((ecpdId) => ({ ...userOf(ecpdId), accounts: [accountOf(ecpdId)] })),
    plans: [{ code: 'P', name: 'P', kind: 'payAsYouGo', allowanceBytes: 1_000_000 }],
    devices: both.map((ecpdId) => ({
      accountName: accountOf(ecpdId),
      imei: imeiOf(ecpdId),
      imsi: imsiOf(ecpdId),
      servicePlan: 'P',
    })),
    listeners: both.map((ecpdId) => ({
      accountName: accountOf(ecpdId),
      serviceName: 'AlertService',
      url: listener.url,
    })),
  });
  const users = new Map([
    [one, await asUser({ api }, userOf(one))],
    [other, await asUser({ api }, userOf(other))],
  ]);
  let records = 0;
  return {
    world,
    listener,
    one,
    other,
    accountOf,
    imeiOf,
    imsiOf,
    callAs: (ecpdId: string) => users.get(ecpdId)!.call,
    heard: () => listener.heard.map(({ body }) => body['n']),
    list: (ecpdId: string) =>
      users.get(ecpdId)!.call('POST', '/m2m/v1/devices/actions/list', { accountName: accountOf(ecpdId) }),
    feed: (ecpdId: string, bytes: number) =>
      world.operator('POST', '/usage', [
        { id: `u${++records}`, kind: 'imei', device: imeiOf(ecpdId), at: ctx.now().toISOString(), bytes },
      ]),
    post: (ecpdId: string, n: number) =>
      postCallbacks(ctx, ecpdId as EcpdId, [
        { accountName: accountOf(ecpdId), serviceName: 'AlertService', requestId: `r${n}`, payload: { n } },
      ]),
  };
}
