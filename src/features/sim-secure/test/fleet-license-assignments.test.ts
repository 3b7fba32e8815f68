import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
const accountName = '0000123456-00001';
const other = '0000123456-00002';
const imeis = ['990000000000001', '990000000000002', '990000000000003'];
const foreign = '990000000000009';
await world.import({
  profiles: [{ ecpdId: '9000001' }],
  accounts: [accountName, other].map((name) => ({ accountName: name, ecpdId: '9000001' })),
  devices: [...imeis.map((imei) => ({ accountName, imei })), { accountName: other, imei: foreign }],
  licenses: [
    { accountName, skuNumber: 'SIMSec-IoT', purchased: 2 },
    { accountName, skuNumber: 'SVC-IOT-INTLG-TIERED-SIMSEC', purchased: 0 },
  ],
});

const refusals = async (document: object) =>
  (await world.operator('POST', '/import', document)).json().errors;
const assign = (imei: string, skuNumber = 'SIMSec-IoT') => ({ accountName, skuNumber, imei });
const readAll = async () => {
  const { licenses, licenseAssignments } = (await world.operator('GET', '/export')).json();
  return { licenses, licenseAssignments };
};

describe('licence assignments of the fleet document', () => {
  it('never exceed the purchased number, within one document and over several', async () => {
    assert.deepEqual(await refusals({ licenseAssignments: imeis.map((imei) => assign(imei)) }), [
      {
        pointer: '/licenseAssignments/2/skuNumber',
        detail: 'has no licence left: more would be assigned than were purchased',
      },
    ]);
    await world.import({ licenseAssignments: [assign(imeis[0]!), assign(imeis[1]!)] });
    assert.equal((await refusals({ licenseAssignments: [assign(imeis[2]!)] })).length, 1);
    const tiered = assign(imeis[0]!, 'SVC-IOT-INTLG-TIERED-SIMSEC');
    assert.equal((await refusals({ licenseAssignments: [tiered] })).length, 1);
  });

  it('may be repeated, and are exported as they were imported', async () => {
    const before = await readAll();
    assert.equal(before.licenseAssignments.length, 2);
    await world.import(before);
    assert.deepEqual(await readAll(), before);
  });

  it('can use licences purchased in the same document, and the purchased number cannot fall below theirs', async () => {
    const licenses = (purchased: number) => [{ accountName, skuNumber: 'SIMSec-IoT', purchased }];
    assert.deepEqual(await refusals({ licenses: licenses(1) }), [
      { pointer: '/licenses/0/purchased', detail: 'is less than the number of assigned licences' },
    ]);
    await world.import({ licenseAssignments: imeis.map((imei) => assign(imei)), licenses: licenses(3) });
    assert.equal((await readAll()).licenseAssignments.length, 3);
  });

  it('are refused for a device of another account, an unknown licence, or twice', async () => {
    const first = async (...licenseAssignments: object[]) => (await refusals({ licenseAssignments }))[0];
    assert.deepEqual(await first(assign(foreign)), {
      pointer: '/licenseAssignments/0/imei',
      detail: 'names no device of this account',
    });
    assert.equal((await first(assign(imeis[0]!, 'OTHER'))).pointer, '/licenseAssignments/0/skuNumber');
    assert.equal((await first(assign(imeis[0]!), assign(imeis[0]!))).pointer, '/licenseAssignments/1/imei');
    const long = { accountName, skuNumber: 'A'.repeat(21), purchased: 1 };
    assert.equal((await refusals({ licenses: [long] }))[0].pointer, '/licenses/0/skuNumber');
  });

  it('are deleted with the device', async () => {
    await world.ctx.db.exec(sql`delete from device where ecpd_id = '9000001' and imei = ${imeis[0]}`);
    const { count } = await world.ctx.db.one<{ count: bigint }>(sql`select count(*) from license_assignment`);
    assert.equal(count, 2n);
  });
});

describe('the device of a licence assignment', () => {
  // proves fleet-document/licence-assignments
  it('is named by any one of its identifiers, so a device without an imei keeps its licence too', async () => {
    const iccid = '89014103211118510720';
    const [first, second] = [imeis[0]!, '353918058000019'];
    await world.import({
      devices: [
        { accountName: other, iccid },
        { accountName: other, imei: second, meid: 'A10000009296F2' },
      ],
      licenses: [{ accountName: other, skuNumber: 'SIMSec-IoT', purchased: 5 }],
      licenseAssignments: [
        { accountName: other, skuNumber: 'SIMSec-IoT', iccid },
        { accountName: other, skuNumber: 'SIMSec-IoT', meid: 'A10000009296F2' },
      ],
    });
    const { licenseAssignments } = (await world.operator('GET', `/export?accountName=${other}`)).json();
    // In the order of device ids, which are random.
    const named = new Set(licenseAssignments.map((entry: object) => JSON.stringify(entry)));
    const skuNumber = 'SIMSec-IoT';
    assert.deepEqual(
      named,
      new Set(
        [{ iccid }, { imei: second }].map((ids) => JSON.stringify({ accountName: other, skuNumber, ...ids })),
      ),
    );
    const refused = async (ids: object) =>
      (await refusals({ licenseAssignments: [{ accountName: other, skuNumber: 'SIMSec-IoT', ...ids }] }))[0];
    assert.deepEqual(await refused({}), {
      pointer: '/licenseAssignments/0',
      detail: 'needs one identifier of a device',
    });
    assert.equal((await refused({ iccid, imei: first })).pointer, '/licenseAssignments/0');
    assert.equal((await refused({ iccid: 'x' })).pointer, '/licenseAssignments/0/iccid');
    assert.equal((await refused({ iccid: '89014103211118510721' })).pointer, '/licenseAssignments/0/iccid');
    const twice = [{ imei: second }, { meid: 'A10000009296F2' }].map((ids) => ({
      accountName: other,
      skuNumber: 'SIMSec-IoT',
      ...ids,
    }));
    assert.equal((await refusals({ licenseAssignments: twice }))[0].pointer, '/licenseAssignments/1/meid');
  });
});
