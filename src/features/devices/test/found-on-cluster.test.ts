import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOnCluster } from '../../../../test/support/citus.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDevicesOnPlans } from '../index.ts';

const skip = !isOnCluster() && 'one server sees devices and identifiers at one moment';

describe('a device that is looked up by its identifier on a cluster', { skip }, () => {
  const given = [{ id: { kind: 'imei', value: '990000000000011' }, atMs: 0 }] as const;
  const moveTo = (accountName: string) =>
    sql`update device_identifier set account_name = ${accountName} where kind = 'imei' and value = ${given[0].id.value}`;

  it('is looked up again if it has moved in the meantime, but only a few times', async () => {
    const { ctx, import: load } = await makeWorld();
    const { db } = ctx;
    await load(SMALL_FLEET);
    await db.exec(moveTo(MANAGED));
    let asked = 0;
    const [[found], names] = await findDevicesOnPlans(db, given, async (owners) => {
      if (++asked === 2) await db.exec(moveTo(ACCOUNT));
      return owners.map(({ accountName }) => accountName);
    });
    assert.deepEqual(
      [found?.accountName, found?.servicePlan, names, asked],
      [ACCOUNT, 'P-5MB', [ACCOUNT], 3],
    );
    await db.exec(moveTo(MANAGED));
    await assert.rejects(
      findDevicesOnPlans(db, given, () => Promise.resolve()),
      /kept moving/,
    );
  });
});
