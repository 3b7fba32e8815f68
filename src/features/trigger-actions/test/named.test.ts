import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '../../../platform/db/sql.ts';
import { MB, makeActingWorld } from './scene.ts';

const nextScene = await makeActingWorld({ customers: 1 });

describe('firings of a line', () => {
  // proves price-plan-triggers/names
  it('have its present name, while it belongs to the account in which it was counted', async () => {
    const scene = await nextScene();
    const { a, b, db, ecpdId, imei } = scene;
    const trigger = await scene.create(scene.individual({}));
    await scene.use({ 0: 2 * MB });
    const nameNow = async () => {
      const [firing] = await scene.firingsOf(trigger);
      assert.equal(firing?.accountName, a);
      return (firing as { deviceName?: string }).deviceName;
    };
    assert.equal(await nameNow(), imei(0));
    const name = '<b>Truck</b>';
    await db.exec(sql`
      update device set record = jsonb_set(coalesce(record, '{}'), '{name}', to_jsonb(${name}::text))
      where ecpd_id = ${ecpdId} and imei = ${imei(0)}`);
    assert.equal(await nameNow(), name);
    await db.exec(sql`
      update device set account_name = ${b} where ecpd_id = ${ecpdId} and imei = ${imei(0)}`);
    assert.equal(await nameNow(), undefined);
  });
});
