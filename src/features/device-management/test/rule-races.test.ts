import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/database.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const { db } = world.ctx;
// The world's own connections are in use by transactions that wait for each other.
const other = openTestDatabase(world.databaseUrl, { connections: 2 });
after(() => other.close());

const until = (count: number) => untilWaiting(db, { count });

const deviceImei = SMALL_FLEET.devices[0]!.imei;
const rule = { name: 'hot', rulesyntax: 'json', rulechain: { field: 't', operator: 'gt', value: 1 } };

/** Deletes the account after a transaction that adds a rule has locked the device, and before it writes the rule. */
async function deleteAccountDuring(adding: () => PromiseLike<{ statusCode: number }>): Promise<number[]> {
  const { added, deleted } = await other.tx(async (tx) => {
    await tx.exec(sql`lock table rule in exclusive mode`);
    const statusOf = async (call: PromiseLike<{ statusCode: number }>) => (await call).statusCode;
    const first = statusOf(adding());
    await until(1);
    const second = statusOf(world.operator('DELETE', `/accounts/${ACCOUNT}`));
    await until(2);
    return { added: first, deleted: second };
  });
  return [await added, await deleted];
}

describe('a deletion of an account', () => {
  it('and an import of rules do not deadlock', async () => {
    await world.import(SMALL_FLEET);
    const rules = [{ accountName: ACCOUNT, deviceImei, ...rule }];
    const statuses = await deleteAccountDuring(() => world.operator('POST', '/import', { rules }));
    assert.deepEqual(statuses, [200, 200]);
  });

  it('and a new rule do not deadlock', async () => {
    await world.import(SMALL_FLEET);
    const { call } = await asUser(world);
    const body = { accountname: ACCOUNT, resourceidentifier: { imei: Number(deviceImei) }, rule };
    assert.deepEqual(await deleteAccountDuring(() => call('POST', '/dm/v1/rules', body)), [200, 200]);
  });
});
