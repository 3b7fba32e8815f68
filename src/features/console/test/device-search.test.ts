import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { sql } from '../../../platform/db/sql.ts';
import { devicesBeginning, findDevices, type SearchBounds } from '../devices/find-devices.ts';

const { ctx, ...world } = await makeWorld();
const device = (n: number, name: string, more: object = {}) => ({
  accountName: ACCOUNT,
  imei: `99000000200000${n}`,
  record: { name },
  ...more,
});
await world.import({
  ...SMALL_FLEET,
  devices: [
    device(0, 'Pump A00', { meid: 'A0000009876543' }),
    device(1, 'A00 pump'),
    device(2, 'Pump in the A000 hall'),
    device(3, 'Ämter 100%_'),
    device(4, 'Pump', { accountName: STRANGER }),
    device(5, 'x'.repeat(200)),
  ],
});
const { ecpdId } = await ctx.db.one<{ ecpdId: EcpdId }>(
  sql`select ecpd_id as "ecpdId" from account where account_name = ${ACCOUNT}`,
);
const tenant = { ecpdId, accountName: ACCOUNT as AccountName };
const find = (search: string, more: { after?: string; limit?: number } = {}, bounds?: SearchBounds) =>
  findDevices(ctx.db, tenant, { search, after: undefined, limit: 10, ...more }, bounds);
const named = async (search: string) => (await find(search)).devices.map(({ name }) => name).sort();
/** Every page there is, and how many devices each has. */
async function walkThrough(search: string, bounds: SearchBounds, limit = 10) {
  const pages: (string | null)[][] = [];
  let after: string | undefined;
  do {
    const page = await find(search, { ...(after && { after }), limit }, bounds);
    pages.push(page.devices.map(({ name }) => name));
    after = page.next;
  } while (after !== undefined);
  return pages;
}

describe('a search for devices', () => {
  it('finds what begins so, identifiers and names, however short and in any letter case', async () => {
    assert.deepEqual(await named('a'), ['A00 pump', 'Pump A00']);
    assert.deepEqual(await named('A00'), ['A00 pump', 'Pump A00']);
    assert.deepEqual(await named('pUMP'), ['Pump A00', 'Pump in the A000 hall']);
    assert.deepEqual(await named('äM'), ['Ämter 100%_']);
    assert.equal((await named('9')).length, 5);
  });

  it('reads names for a part of them only where nothing begins so', async () => {
    assert.deepEqual(await named('a0000'), ['Pump A00']);
    assert.deepEqual(await named('a000 '), ['Pump in the A000 hall']);
    assert.deepEqual(await named('%_'), ['Ämter 100%_']);
    assert.deepEqual(await named('nothing'), []);
  });

  it('finds a long name by as much of it as can be typed', async () =>
    assert.equal((await named('x'.repeat(64))).length, 1));

  it('looks at so many devices for a page and says where it goes on', async () => {
    const bounds = { namedMax: 10, scannedMax: 2 };
    const pages = await walkThrough('hall', bounds);
    assert.deepEqual([pages.length, pages.flat()], [3, ['Pump in the A000 hall']]);
  });

  it('for what very many devices begin with meets each once on a walk', async () => {
    const pages = await walkThrough('pump', { namedMax: 1, scannedMax: 100 }, 1);
    assert.deepEqual(pages.flat().sort(), ['Pump A00', 'Pump in the A000 hall']);
    const byIdentifier = await walkThrough('990000002', { namedMax: 1, scannedMax: 2 });
    assert.equal(byIdentifier.flat().length, 5);
  });

  it('for what begins so asks the indexes of a large account', async () => {
    await ctx.db.exec(sql`
      with made as (
        insert into device (ecpd_id, device_id, account_name, kind, state, imei, iot, activated_by_sku, ota_updated, labels,
          record, simulation, foreign_id, created_on, last_updated, version, version_id)
        select ecpd_id, gen_random_uuid(), account_name, kind, state, (880000000000000 + n)::text, iot, activated_by_sku,
          ota_updated, labels, jsonb_build_object('name', 'Line ' || n), simulation, foreign_id, created_on, last_updated,
          version, gen_random_uuid()
        from device, generate_series(1, 12500) n where imei = '990000002000000' returning *)
      insert into device_identifier (kind, value, ecpd_id, account_name, device_id)
      select 'imei', imei, ecpd_id, account_name, device_id from made`);
    await ctx.db.exec(sql`vacuum analyze device`);
    await ctx.db.exec(sql`vacuum analyze device_identifier`);
    for (const search of ['880000000000123', '8800000000001', 'a0000', 'Line 12', 'nothing']) {
      const { text, values } = devicesBeginning(tenant, search, 1_001);
      const plan = await ctx.db.many({ ...sql``, text: `explain ${text}`, values, unprepared: true });
      const told = JSON.stringify(plan);
      assert.match(told, /device_identifier_(begins|pkey)/, search);
      assert.match(told, /device_name/, search);
      assert.doesNotMatch(told, /Seq Scan/, search);
    }
  });
});
