import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, call, child, locate, locateChild, newMonth, month } = await makeTriggerScene();

beforeEach(newMonth);

describe('what is billed', () => {
  it('adds up: the lines of a primary account equal its month, despite concurrent uses', async () => {
    await Promise.all([locate(1, 2), locateChild(), locate(3), locateChild(), locateChild()]);
    const statement = await call(
      'GET',
      `/subsc/v1/managedaccounts/${ACCOUNT}/service/location/statement/${month()}`,
    );
    assert.deepEqual(statement.json(), {
      accountName: ACCOUNT,
      serviceName: 'Location',
      month: month(),
      skuName: 'SVC-LOC-COARSE-CellID-Aggr',
      transactionsAllowed: '10',
      totalTransactionCount: '6',
      lines: [
        { accountName: ACCOUNT, transactionsCount: '3' },
        { accountName: MANAGED, transactionsCount: '3' },
      ],
    });
    assert.deepEqual(
      (await world.operator('GET', `/accounts/${ACCOUNT}/statements/Location/${month()}`)).json(),
      statement.json(),
    );
    const [total] = await world.ctx.db.many<{ transactions: bigint }>(sql`
      select transactions from service_month
      where account_name = ${ACCOUNT} and service_name = 'Location' and month = ${month()}`);
    assert.equal(total!.transactions, 6n);
  });

  it('stays with the account that paid at the time of use, and no other account sees it', async () => {
    await locateChild();
    const [relation] = (
      await call('GET', `/subsc/v1/managedaccounts/${ACCOUNT}/service/Location/status/provisioned`)
    ).json().managedAccProvisionedList;
    const cancelled = await child.call('POST', '/subsc/v1/managedaccounts/actions/cancel', {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      serviceName: 'Location',
      type: 'SVC-LOC-COARSE-CellID-Aggr',
      txid: relation.txid,
    });
    assert.equal(cancelled.json().status, 'Success');
    await locateChild();
    const read = async (accountName: string, by = call) =>
      (
        await by('GET', `/subsc/v1/managedaccounts/${accountName}/service/Location/statement/${month()}`)
      ).json().lines;
    assert.deepEqual(await read(ACCOUNT), [{ accountName: MANAGED, transactionsCount: '1' }]);
    assert.deepEqual(await read(MANAGED, child.call), [{ accountName: MANAGED, transactionsCount: '1' }]);
    assert.equal(
      (await child.call('GET', `/subsc/v1/managedaccounts/${ACCOUNT}/service/Location/statement/${month()}`))
        .statusCode,
      401,
    );
    assert.equal(
      (await call('GET', `/subsc/v1/managedaccounts/${ACCOUNT}/service/Location/statement/2026-13`))
        .statusCode,
      400,
    );
  });

  it('still adds up after the using or the paying account is deleted', async () => {
    const [payer, payee] = ['0000123456-00005', '0000123456-00006'];
    const document = {
      accounts: [payer, payee].map((accountName) => ({ accountName, ecpdId: '9000001' })),
      devices: [{ accountName: payee, imei: '990000000000078', servicePlan: 'P-5MB' }],
      managedAccounts: [
        { accountName: payee, paccountName: payer, serviceName: 'fota', type: 'fota', state: 'provisioned' },
      ],
    };
    const use = (id: string) =>
      world.operator('POST', '/usage', [
        {
          id,
          kind: 'imei',
          device: '990000000000078',
          at: world.clock.now().toISOString(),
          bytes: 1,
          serviceName: 'fota',
        },
      ]);
    const differencesOf = async (accountName: string) =>
      (await world.operator('GET', `/usage/differences?accountName=${accountName}`)).json().differences;
    await world.import(document);
    await use('deleted-1');
    await world.operator('DELETE', `/accounts/${payee}`);
    assert.deepEqual(await differencesOf(payer), []);
    await world.import(document);
    await use('deleted-2');
    await world.operator('DELETE', `/accounts/${payer}`);
    await world.import(document);
    assert.deepEqual([await differencesOf(payer), await differencesOf(payee)], [[], []]);
  });
});
