import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { MANAGED } from '../../../../test/support/fleet.ts';
import { untilWaiting } from '../../../../test/support/lock-waits.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { add, addByRival, provision, cancel, ...world } = await scene.makeScene();
const { taken, added, addedByRival, provisioned, forget, readAudit, operator, db } = world;
const { RIVAL, SECOND, SKU } = scene;
beforeEach(forget);

const ROUNDS = casesOf({ everyday: 3, all: 10 });
const WITH_RIVAL = { paccountName: RIVAL };
const reasonsOf = (answers: { reason: string }[]) => answers.map(({ reason }) => reason).toSorted();
const first = async (answer: ReturnType<typeof add>) => (await taken(answer)).statusList[0];
const activated = () =>
  db.many<{ account: string; primary: string }>(sql`
    select account_name as account, paccount_name as primary from managed_account
    where ecpd_id = '9000001' and state = 'provisioned' order by 1`);

describe('at the same moment', () => {
  // proves managed-accounts/races
  it('two primaries add the same accounts, in opposite order: each gets its own addition', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const answers = await Promise.all([
        taken(add({ managedAccList: [MANAGED, SECOND] })),
        taken(addByRival(SECOND, MANAGED)),
      ]);
      for (const { statusList } of answers) assert.deepEqual(reasonsOf(statusList), ['Success', 'Success']);
    }
  });

  // proves managed-accounts/several-primaries managed-accounts/races
  it('an account is activated with two primaries: exactly one wins, and the other gets the reason', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const [ours, theirs] = [await added(), await addedByRival()];
      const answers = await Promise.all([
        taken(provision({ txid: ours })),
        taken(provision({ ...WITH_RIVAL, txid: theirs })),
      ]);
      assert.deepEqual(reasonsOf(answers), ['Acct Already activated for another primary account', 'Success']);
      const winner = answers.find(({ status }) => status === 'Success').paccountName;
      assert.deepEqual(await activated(), [{ account: MANAGED, primary: winner }]);
      assert.deepEqual(await db.many(sql`select paccount_name as primary from managed_period`), [
        { primary: winner },
      ]);
      assert.deepEqual(await db.many(sql`select from managed_account where state = 'added'`), []);
    }
  });

  it('an account is activated with one primary and added by another: the addition is ended, or comes too late', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const [answer, other] = await Promise.all([taken(provision({ txid })), first(addByRival(MANAGED))]);
      assert.equal(answer.status, 'Success');
      assert.ok(
        ['Success', 'Acct Already activated for another primary account'].includes(other.reason),
        other.reason,
      );
      assert.deepEqual(await db.many(sql`select from managed_account where state = 'added'`), []);
    }
  });

  it('an account is added again and activated: the id used is the last one, or a mismatch', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const [answer, again] = await Promise.all([
        provision({ txid }),
        taken(add({ managedAccList: [MANAGED] })),
      ]);
      const { reason } = again.statusList[0];
      if (answer.statusCode === 200) assert.equal(reason, 'Acct Already activated');
      else {
        assert.deepEqual([answer.json().errorMessage, reason], ['Txd Mismatch', 'Success']);
        assert.equal((await taken(provision({ txid: again.txid }))).status, 'Success');
      }
    }
  });

  it('an addition is cancelled and activated: one of the two succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const answers = await Promise.all([provision({ txid }), cancel({ txid }, 'primary')]);
      assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
      assert.equal((await activated()).length, answers[0].statusCode === 200 ? 1 : 0);
    }
  });

  it('an account is activated with a primary while another is activated with it: only one succeeds, without a chain', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const [ours, theirs] = [await added(RIVAL), await addedByRival(SECOND)];
      const answers = await Promise.all([
        taken(provision({ accountName: RIVAL, txid: ours }, 'rival')),
        taken(provision({ accountName: SECOND, ...WITH_RIVAL, txid: theirs }, 'second')),
      ]);
      assert.equal(answers.filter(({ status }) => status === 'Success').length, 1);
      assert.equal((await activated()).length, 1);
    }
  });

  it('two activations: one succeeds, the other reports that it is activated, with the id of the first', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const answers = await Promise.all([taken(provision({ txid })), taken(provision({ TxId: txid }))]);
      assert.deepEqual(reasonsOf(answers), ['Acct Already activated', 'Success']);
      assert.equal(answers[0].txid, answers[1].txid);
      assert.equal((await readAudit()).length, 2);
    }
  });

  it('two cancellations: one succeeds, the other finds nothing to cancel', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await provisioned();
      const answers = await Promise.all([cancel({ txid }), cancel({ txid })]);
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [200, 400]);
    }
  });

  it('an account is deleted while it is added: the addition reports it as unknown, or is deleted with it', async () => {
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

  it('an import activates the account: an addition waits for it and then reports it', async () => {
    let addition: ReturnType<typeof first> | undefined;
    await db.tx(async (tx) => {
      await tx.exec(sql`
        select from account where ecpd_id = '9000001' and account_name = ${MANAGED} for update`);
      await tx.exec(sql`
        insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
        values ('9000001', ${MANAGED}, 'Location', ${RIVAL}, ${SKU}, 'provisioned', gen_random_uuid(), '2026-01-01')`);
      addition = first(add({ managedAccList: [MANAGED] }));
      await untilWaiting(db, { unless: addition });
    });
    const reason = 'Acct Already activated for another primary account';
    assert.deepEqual(await addition, { id: MANAGED, status: 'Fail', reason });
  });

  it('an import and an activation want the account for different primaries: it has one in the end', async () => {
    const entry = { accountName: MANAGED, serviceName: 'Location', paccountName: RIVAL, type: SKU };
    for (let round = 0; round < ROUNDS; round++) {
      await forget();
      const txid = await added();
      const [, imported] = await Promise.all([
        provision({ txid }),
        operator('POST', '/import', { managedAccounts: [{ ...entry, state: 'provisioned' }] }),
      ]);
      assert.equal(imported.statusCode, 200, imported.body);
      assert.deepEqual(await activated(), [{ account: MANAGED, primary: RIVAL }]);
      assert.deepEqual(await db.many(sql`select from managed_account where state = 'added'`), []);
    }
  });
});
