import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTx } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { createRequestFor } from '../create-request.ts';
import { callbacksOf, imei, makeRequestScene, TENANT } from './scene.ts';

const { world, statusOf, operation, workJob } = await makeRequestScene(3);
const { db } = world.ctx;

describe('a request by another feature', () => {
  const idsOf = async (...numbers: number[]) =>
    (
      await db.many<{ id: string }>(
        sql`select device_id as id from device where imei = any(${numbers.map(imei)}::text[]) order by imei`,
      )
    ).map(({ id }) => id);
  const asked = { operation, body: { note: 'automatic' }, createdBy: 'a trigger' };

  it('exists exactly when the transaction of that feature commits', async () => {
    const deviceIds = await idsOf(1, 2);
    let lost: string | undefined;
    await assert.rejects(
      inTx(world.ctx, async (tx) => {
        lost = await createRequestFor(tx, TENANT, { ...asked, deviceIds }, workJob);
        throw new Error('undone');
      }),
    );
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from carrier_request where request_id = ${lost}`,
    );
    assert.equal(n, 0);
    const requestId = await inTx(world.ctx, (tx) =>
      createRequestFor(tx, TENANT, { ...asked, deviceIds }, workJob),
    );
    await world.engine.settle();
    assert.equal((await callbacksOf(world, requestId!)).length, 2);
  });

  it('leaves out devices that the account does not have, and is not created if none remains', async () => {
    const [own, managed] = [await idsOf(1), await idsOf(90_000)];
    const make = (deviceIds: readonly string[]) =>
      inTx(world.ctx, (tx) => createRequestFor(tx, TENANT, { ...asked, deviceIds }, workJob));
    assert.equal((await statusOf((await make([...own, ...managed]))!)).devicesRequested, 1);
    assert.equal(await make(managed), undefined);
    await world.engine.settle();
  });
});
