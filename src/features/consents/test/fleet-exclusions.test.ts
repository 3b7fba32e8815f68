import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import type { Tenant } from '../../../platform/context/context.ts';
import { sql } from '../../../platform/db/sql.ts';
import { findDeviceKey } from '../../devices/index.ts';
import { listWithheld } from '../sql-withheld.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
await world.import({ profiles: [{ ecpdId: '9000001' }], accounts: [{ accountName, ecpdId: '9000001' }] });

const refusals = async (...exclusions: object[]) =>
  (await world.operator('POST', '/import', { exclusions })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().exclusions;
const readLedger = () =>
  world.ctx.db.many<{ change: string; identifier: string | null }>(sql`
    select change, identifier from consent_ledger where change not in ('level') order by entry_id`);
const readDate = async () =>
  (await world.ctx.db.one<{ updated_at: Date }>(sql`select updated_at from exclusion_list`)).updated_at;
const [a, b, c] = ['990000000000001', '990000000000002', '990000000000003'] as const;

describe('exclusions of the fleet document', () => {
  it('are listed, each with a ledger entry', async () => {
    await world.import({ exclusions: [{ accountName, imeis: [b, a] }] });
    assert.deepEqual(await readAll(), [{ accountName, allDevice: false, imeis: [a, b] }]);
    assert.deepEqual(await readLedger(), [
      { change: 'exclude', identifier: a },
      { change: 'exclude', identifier: b },
    ]);
  });

  // proves consent/exclusion-list
  it('are replaced as a whole by a given list, and kept with their flag if absent', async () => {
    await world.import({ exclusions: [{ accountName, imeis: [b, c] }] });
    await world.import({ exclusions: [{ accountName, allDevice: true }] });
    await world.import({ exclusions: [{ accountName }] });
    assert.deepEqual(await readAll(), [{ accountName, allDevice: true, imeis: [b, c] }]);
    assert.deepEqual((await readLedger()).slice(2), [
      { change: 'allow', identifier: a },
      { change: 'exclude', identifier: c },
      { change: 'exclude-all', identifier: null },
    ]);
  });

  it('change neither ledger nor date if they are imported as exported', async () => {
    const [exclusions, ledger, date] = [await readAll(), await readLedger(), await readDate()];
    world.pass(60_000);
    await world.import({ exclusions });
    assert.deepEqual([await readAll(), await readLedger(), await readDate()], [exclusions, ledger, date]);
  });

  it('are lifted by an empty list and allDevice false, but not by null', async () => {
    await world.import({ exclusions: [{ accountName, allDevice: null, imeis: null }] });
    assert.deepEqual(await readAll(), [{ accountName, allDevice: true, imeis: [b, c] }]);
    await world.import({ exclusions: [{ accountName, allDevice: false, imeis: [] }] });
    assert.deepEqual(await readAll(), [{ accountName, allDevice: false, imeis: [] }]);
    assert.deepEqual((await readLedger()).slice(5), [
      { change: 'allow', identifier: b },
      { change: 'allow', identifier: c },
      { change: 'allow-all', identifier: null },
    ]);
  });

  // proves consent/exclusion-list
  it('are refused when too many, malformed, or given twice', async () => {
    const many = Array.from({ length: 2_001 }, (_, i) => String(990_000_000_000_000 + i));
    assert.equal((await refusals({ accountName, imeis: many }))[0].pointer, '/exclusions/0/imeis');
    assert.equal((await refusals({ accountName, imeis: ['1x2'] }))[0].pointer, '/exclusions/0/imeis/0');
    assert.equal((await refusals({ accountName, imeis: [a, a] }))[0].pointer, '/exclusions/0/imeis');
    assert.equal((await refusals({ accountName }, { accountName }))[0].pointer, '/exclusions/1/accountName');
  });
});

// proves consent/what-an-entry-excludes
describe('an imported exclusion of a device that is not known yet', () => {
  it('holds when the device arrives and then gets another IMEI, and its history shows it', async () => {
    const mdn = '5550100077';
    const line = (imei: string) => ({ devices: [{ accountName, imei, mdn }] });
    await world.import({
      consents: [{ accountName, level: 0 }],
      exclusions: [{ accountName, imeis: [a] }],
    });
    await world.import(line(a));
    world.pass(60_000);
    await world.import(line(b));
    const { deviceId } = (await findDeviceKey(world.ctx.db, { kind: 'imei', value: b }))!;
    const tenant = { ecpdId: '9000001', accountName } as Tenant;
    const withheld = await listWithheld(world.ctx.db, tenant, [deviceId], 'coarse');
    assert.equal(withheld.get(deviceId), 'excluded');
    world.pass(60_000);
    const { intervals } = (await world.operator('GET', `/devices/imei/${b}/consents`)).json();
    assert.equal(intervals.at(-1).basis, 'device-excluded');
    // The entry is the same as before, and removing it ends the exclusion.
    assert.deepEqual(await readAll(), [{ accountName, allDevice: false, imeis: [a] }]);
    await world.import({ exclusions: [{ accountName, imeis: [] }] });
    assert.equal((await listWithheld(world.ctx.db, tenant, [deviceId], 'coarse')).size, 0);
  });
});
