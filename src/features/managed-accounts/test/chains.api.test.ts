import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { add, addByRival, provision, cancel, list, ...world } = await scene.makeScene();
const { taken, added, addedByRival, provisioned, refused, readAudit, forget, db } = world;
const { RIVAL, SECOND, SKU, REFUSED } = scene;
beforeEach(forget);

const OTHER_TXID = '00000000-0000-4000-8000-000000000000';
const WITH_RIVAL = { paccountName: RIVAL };
const ACTIVATED_ELSEWHERE = 'Acct Already activated for another primary account';
const reasonOf = async (answer: ReturnType<typeof add>) => (await taken(answer)).reason;
const lists = async (by = 'primary', accountName = ACCOUNT) => {
  const { ManagedAccAddedList, managedAccProvisionedList } = await taken(
    list('/service/Location', by, accountName),
  );
  return [ManagedAccAddedList, managedAccProvisionedList].map((each) =>
    each.map(({ id }: { id: string }) => id),
  );
};

describe('POST /subsc/v1/managedaccounts/actions/provision', () => {
  // proves managed-accounts/several-primaries
  it('200: accepts the id of the named primary, regardless of later actions of others', async () => {
    const [first, second] = [await added(), await addedByRival()];
    await refused(() => provision({ txid: second }), REFUSED.txid);
    await refused(() => provision({ ...WITH_RIVAL, txid: first }), REFUSED.txid);
    assert.equal((await taken(provision({ txid: first }))).status, 'Success');
  });

  // proves managed-accounts/several-primaries
  it('200: the first activation ends the additions of other primaries, for its service only', async () => {
    const fota = { serviceName: 'fota', type: 'F' };
    const [first, second] = [await added(), await addedByRival()];
    await taken(add({ accountName: RIVAL, managedAccList: [MANAGED], ...fota }, 'rival'));
    const { txid } = await taken(provision({ txid: first }));
    assert.deepEqual(await lists(), [[], [MANAGED]]);
    assert.deepEqual(await lists('rival', RIVAL), [[], []]);
    assert.equal((await taken(list('/service/fota', 'rival', RIVAL))).ManagedAccAddedList.length, 1);
    assert.deepEqual((await readAudit()).at(-1)?.after, {
      ...{ paccountName: ACCOUNT, serviceName: 'Location', type: SKU, txid },
      ended: [RIVAL],
    });
    assert.deepEqual(await taken(provision({ ...WITH_RIVAL, txid: second })), {
      ...{ txid: second, TxId: second, accountName: MANAGED, paccountName: RIVAL, serviceName: 'Location' },
      status: 'Fail',
      reason: ACTIVATED_ELSEWHERE,
    });
  });

  it('400: an ended addition cannot be cancelled, and only its own id gets the reason that another was faster', async () => {
    const [first, second] = [await added(), await addedByRival()];
    await taken(provision({ txid: first }));
    await refused(() => cancel({ ...WITH_RIVAL, txid: second }), REFUSED.parameters);
    await refused(() => provision({ ...WITH_RIVAL, txid: OTHER_TXID }), REFUSED.txid);
    await refused(() => provision({ ...WITH_RIVAL, txid: second, type: 'other' }), REFUSED.parameters);
  });

  // proves managed-accounts/several-primaries
  it('400: an ended addition stays ended when the account is cancelled: it must be added again', async () => {
    const [first, second] = [await added(), await addedByRival()];
    const { txid } = await taken(provision({ txid: first }));
    await taken(cancel({ txid }));
    await refused(() => provision({ ...WITH_RIVAL, txid: second }), REFUSED.parameters);
    await refused(() => provision({ txid: first }), REFUSED.parameters);
    const again = await addedByRival();
    assert.equal((await taken(provision({ ...WITH_RIVAL, txid: again }))).status, 'Success');
    assert.deepEqual(await lists('rival', RIVAL), [[], [MANAGED]]);
  });

  // proves managed-accounts/chains
  it('200: fails for an account with which others were activated after it was added', async () => {
    const txid = await added(RIVAL);
    const second = await addedByRival(SECOND);
    const bySecond = { accountName: SECOND, paccountName: RIVAL };
    const activation = (await taken(provision({ ...bySecond, txid: second }, 'second'))).txid;
    const asRival = { accountName: RIVAL, txid };
    assert.equal(
      await reasonOf(provision(asRival, 'rival')),
      'An account that manages others cannot be managed',
    );
    await taken(cancel({ ...bySecond, txid: activation }, 'second'));
    assert.equal((await taken(provision(asRival, 'rival'))).status, 'Success');
  });

  // proves managed-accounts/chains
  it('200: fails with a primary that was activated with another after it added the account', async () => {
    const [second, rival] = [await addedByRival(SECOND), await added(RIVAL)];
    const { txid } = await taken(provision({ accountName: RIVAL, txid: rival }, 'rival'));
    const bySecond = { accountName: SECOND, paccountName: RIVAL, txid: second };
    assert.equal(
      await reasonOf(provision(bySecond, 'second')),
      'An account that is managed cannot manage others',
    );
    await taken(cancel({ accountName: RIVAL, txid }, 'rival'));
    assert.equal((await taken(provision(bySecond, 'second'))).status, 'Success');
  });
});

describe('POST /subsc/v1/managedaccounts/actions/cancel', () => {
  // proves managed-accounts/adding-again managed-accounts/who-activates managed-accounts/cancelling
  for (const [by, who] of [
    ['managed', 'the account itself'],
    ['primary', 'the primary, which may not use the account'],
    ['guest', 'a user who may use both, at home elsewhere'],
  ] as const)
    it(`200: cancels an addition by its id, for ${who}`, async () => {
      const [txid, other] = [await added(MANAGED, SECOND), await addedByRival()];
      const answer = await taken(cancel({ txid: txid.toUpperCase() }, by));
      assert.deepEqual(
        [answer.status, answer.accountName, answer.paccountName],
        ['Success', MANAGED, ACCOUNT],
      );
      assert.notEqual(answer.txid, txid);
      assert.deepEqual(await lists(), [[SECOND], []]);
      assert.deepEqual((await readAudit()).at(-1), {
        actor: by,
        action: 'cancelManagedAccount',
        accountName: MANAGED,
        after: { paccountName: ACCOUNT, serviceName: 'Location', type: SKU, txid: answer.txid },
      });
      await refused(() => provision({ txid }), REFUSED.parameters);
      assert.equal((await taken(provision({ ...WITH_RIVAL, txid: other }))).status, 'Success');
    });

  it('400: Txd Mismatch, or Acct Not Provisioned for another type or a second time, for primary and account alike', async () => {
    const txid = await added();
    const other = await addedByRival();
    for (const by of ['primary', 'managed']) {
      for (const wrong of [OTHER_TXID, '', other])
        await refused(() => cancel({ txid: wrong }, by), REFUSED.txid);
      await refused(() => cancel({ txid, type: 'other' }, by), REFUSED.parameters);
    }
    const cancelled = (await taken(cancel({ txid }, 'primary'))).txid;
    for (const by of ['primary', 'managed'])
      for (const id of [txid, cancelled]) await refused(() => cancel({ txid: id }, by), REFUSED.parameters);
  });

  it("400: contact has no access: the primary is itself managed and not the user's home account", async () => {
    const txid = (await taken(add({ accountName: MANAGED, managedAccList: [SECOND] }, 'managed'))).txid;
    await provisioned();
    const bySecond = { accountName: SECOND, paccountName: MANAGED, txid };
    await refused(() => cancel(bySecond, 'guest'), REFUSED.session);
    assert.equal((await taken(cancel(bySecond, 'managed'))).status, 'Success');
  });

  it("401: the primary, for an account that is activated, was never added or is another customer's", async () => {
    const txid = await provisioned();
    const second = await addedByRival(SECOND);
    for (const body of [
      { txid },
      { accountName: SECOND, txid: second },
      { accountName: SECOND, paccountName: RIVAL, txid: second },
    ])
      await refused(() => cancel(body, 'primary'), REFUSED.denied);
  });

  it('400: Invalid account name for a malformed or unknown name, for the primary too', async () => {
    const txid = await added();
    for (const accountName of ['no name', scene.UNKNOWN])
      await refused(() => cancel({ accountName, txid }, 'primary'), REFUSED.account);
  });

  // proves managed-accounts/strangers refusals/no-access
  it('401, 400: strangers who name their own account as the primary learn nothing, whatever the body says', async () => {
    const txid = await added();
    for (const [by, paccountName] of [
      ['second', SECOND],
      ['rival', RIVAL],
      ['stranger', STRANGER],
    ] as const)
      for (const more of [{}, { serviceName: 'Voice' }, { type: 5 }, { txid: 'no id' }]) {
        const body = { paccountName, txid, ...more };
        await refused(() => cancel(body, by), REFUSED.denied);
        await refused(() => cancel({ ...body, accountName: scene.UNKNOWN }, by), REFUSED.account);
      }
    const { txid: activation } = await taken(provision({ txid }));
    await refused(() => cancel({ paccountName: SECOND, txid: activation }, 'second'), REFUSED.denied);
  });
});

describe('an account that is only added', () => {
  it('is not managed: nothing changes for the account and its users', async () => {
    await added();
    assert.equal(
      (await taken(add({ accountName: MANAGED, managedAccList: [SECOND] }, 'guest'))).statusList[0].status,
      'Success',
    );
    assert.deepEqual(await lists('guest', MANAGED), [[SECOND], []]);
    const rows = await db.many(sql`select from managed_period`);
    assert.deepEqual(rows, []);
  });
});
