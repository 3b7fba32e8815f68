import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { MANAGED } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { add, provision, cancel, taken, added, provisioned, forget, readAudit, operator, db } =
  await scene.makeScene();
const { RIVAL, SECOND, SKU } = scene;
beforeEach(forget);

const ROUNDS = casesOf({ everyday: 3, all: 10 });
const wins = (results: { status: string }[]) => results.filter(({ status }) => status === 'Success').length;
const first = async (answer: ReturnType<typeof add>) => (await taken(answer)).statusList[0];
const byRival = (...names: string[]) => add({ accountName: RIVAL, managedAccList: names }, 'rival');

describe('at the same moment', () => {
  it('two primaries add the same accounts, in opposite order: each account gets one of them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const answers = await Promise.all([
        taken(add({ managedAccList: [MANAGED, SECOND] })),
        taken(byRival(SECOND, MANAGED)),
      ]);
      assert.deepEqual(answers.map(({ statusList }) => wins(statusList)).toSorted(), [0, 2]);
    }
  });

  it('two primaries add accounts that were cancelled: each account gets one of them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      await taken(cancel({ txid: await provisioned() }));
      assert.equal(
        wins(await Promise.all([first(add({ managedAccList: [MANAGED] })), first(byRival(MANAGED))])),
        1,
      );
    }
  });

  it('an account is added and adds another: it does one of both, and no chain comes about', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      await Promise.all([add({ managedAccList: [RIVAL] }), byRival(SECOND)]);
      const rows = await db.many<{ accountName: string }>(
        sql`select account_name as "accountName" from managed_account where ecpd_id = '9000001'`,
      );
      assert.equal(rows.length, 1);
    }
  });

  it('two activations: one succeeds, the other is told that it is activated, with the id of the first', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const answers = await Promise.all([taken(provision({ txid })), taken(provision({ TxId: txid }))]);
      assert.deepEqual(answers.map(({ reason }) => reason).toSorted(), ['Acct Already activated', 'Success']);
      assert.equal(answers[0].txid, answers[1].txid);
      assert.equal((await readAudit()).length, 2);
    }
  });

  it('two cancellations: one succeeds, for the other there is nothing to cancel', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await provisioned();
      const answers = await Promise.all([cancel({ txid }), cancel({ txid })]);
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [200, 400]);
    }
  });

  it('an account is deleted while it is added: the addition says that it is not there, or goes with it', async () => {
    const account = { accountName: SECOND, ecpdId: '9000001', aggregatedBilling: true };
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const [result, removed] = await Promise.all([
        first(add({ managedAccList: [SECOND] })),
        operator('DELETE', `/accounts/${SECOND}`),
      ]);
      assert.ok(['Success', 'Invalid account name'].includes(result.reason), result.reason);
      assert.ok(removed.statusCode < 300, removed.body);
      assert.equal((await operator('POST', '/import', { accounts: [account] })).statusCode, 200);
      assert.deepEqual(await db.many(sql`select from managed_account where ecpd_id = '9000001'`), []);
    }
  });

  it('an import writes the account first: the addition waits for it, and says that it is added already', async () => {
    let addition: ReturnType<typeof first> | undefined;
    await db.tx(async (tx) => {
      await tx.exec(sql`
        insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
        values ('9000001', ${MANAGED}, 'Location', ${RIVAL}, ${SKU}, 'added', gen_random_uuid(), '2026-01-01')`);
      addition = first(add({ managedAccList: [MANAGED] }));
      await untilWaiting(db, { unless: addition });
    });
    assert.deepEqual(await addition, { id: MANAGED, status: 'Fail', reason: 'Acct Already added' });
  });
});
