import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { imei, LOCATION_FLEET, mdn } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Call } from '../call.ts';
import { createCallQueue } from '../call-queue.ts';

const world = await makeWorld({ settings: { sandbox: false } });
/** The calls that another process has in memory and not yet written. */
const elsewhere = createCallQueue(world.ctx, {
  kept: 100,
  areRecorded: true,
  findNewest: async () => undefined,
  loop: { rest() {}, beat() {} } as never,
  realNow: () => new Date(),
});
const located = (n: number): Call => ({
  ...{ at: world.ctx.now(), requestId: `r-${n}`, operation: 'locateDevices', method: 'POST' },
  ...{ path: '/loc/v1/locations', status: 200, durationMs: 1, caller: null },
  ...{ accountName: ACCOUNT, ecpdId: undefined, request: '{}', reason: undefined, injected: undefined },
  answer: JSON.stringify([{ msid: mdn(n), pd: { x: '12.3456', y: '-65.4321' } }]),
});
const stored = async (): Promise<(string | null)[]> => {
  const text = `select answer from logged_call where operation = 'locateDevices' order by call_id`;
  const rows = await world.ctx.db.many<{ answer: string | null }>({ text, values: [] });
  return rows.map(({ answer }) => answer);
};
const record = (minutes: number) =>
  world.operator('PUT', '/requests/recording', { accountName: ACCOUNT, minutes });

describe('an answer with positions that another process has not yet written', () => {
  before(() => world.import(LOCATION_FLEET));

  it('is written unchanged if nothing was erased', async () => {
    await record(10);
    await elsewhere.write(world.ctx.db, located(1));
    assert.match((await stored()).at(-1)!, /12\.3456/);
  });

  it('is written without them if those of a device or of the account were erased in between', async () => {
    for (const erased of [`/devices/imei/${imei(1)}/positions`, `/accounts/${ACCOUNT}/positions`]) {
      const call = located(1);
      assert.equal((await world.operator('DELETE', erased)).statusCode, 200);
      await elsewhere.write(world.ctx.db, call);
      assert.deepEqual([...new Set(await stored())], [null], erased);
    }
  });

  it('is written without them if the account is no longer recorded', async () => {
    await record(0);
    await elsewhere.write(world.ctx.db, located(2));
    assert.equal((await stored()).at(-1), null);
  });
});
