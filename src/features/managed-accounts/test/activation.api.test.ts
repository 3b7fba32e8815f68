import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { add, provision, cancel, list, ...world } = await scene.makeScene();
const { taken, added, provisioned, refused, readAudit, forget, db } = world;
const { RIVAL, SECOND, UNKNOWN, SKU, REFUSED, binding } = scene;
beforeEach(forget);

const OTHER_TXID = '00000000-0000-4000-8000-000000000000';
const answered = (txid: string, status: string, reason: string) => ({
  txid,
  TxId: txid,
  accountName: MANAGED,
  paccountName: ACCOUNT,
  serviceName: 'Location',
  status,
  reason,
});
const PROVISION = { name: 'provision', act: provision, ready: () => added() };
const CANCEL = { name: 'cancel', act: cancel, ready: provisioned };

for (const { name, act, ready } of [PROVISION, CANCEL]) {
  describe(`POST /subsc/v1/managedaccounts/actions/${name}`, () => {
    describe('200', () => {
      // proves 2.6/members 2.6/status-and-reason 3/managed-activated 4.4/provision
      // proves managed-accounts/adding-and-listing
      it('succeeds with a new transaction id in both spellings, and the service in its own spelling', async () => {
        const txid = await ready();
        const answer = await taken(act({ txid, serviceName: 'LOCATION' }));
        assert.notEqual(answer.txid, txid);
        assert.deepEqual(answer, answered(answer.txid, 'Success', 'Success'));
      });

      // proves 4.4/provision managed-accounts/adding-and-listing
      it('accepts the transaction id as TxId and as txid, in any letter case; null counts as absent', async () => {
        for (const spell of [
          (id: string) => ({ TxId: id }),
          (id: string) => ({ txid: id.toUpperCase() }),
          (id: string) => ({ TxId: null, txid: id }),
          (id: string) => ({ TxId: id, txid: 'ignored' }),
        ]) {
          await forget();
          assert.equal((await taken(act(spell(await ready())))).status, 'Success');
        }
      });

      // proves data/skus
      it('accepts the SKU in any letter case, also if it is stored in another', async () => {
        assert.equal((await taken(act({ txid: await ready(), type: SKU.toLowerCase() }))).status, 'Success');
        await forget();
        const txid = await ready();
        await db.exec(sql`
          update managed_account set sku_name = lower(sku_name) where ecpd_id = '9000001'`);
        assert.equal((await taken(act({ txid }))).status, 'Success');
      });

      it('is in the audit log of the managed account', async () => {
        const { txid } = await taken(act({ txid: await ready() }));
        assert.deepEqual((await readAudit()).at(-1), {
          actor: 'managed',
          action: `${name}ManagedAccount`,
          accountName: MANAGED,
          after: { paccountName: ACCOUNT, serviceName: 'Location', type: SKU, txid },
        });
      });

      it('gives a repeat with the same Idempotency-Key the answer of the first', async () => {
        const txid = await ready();
        const send = () => taken(act({ txid }, 'managed', { 'idempotency-key': `${name}-1` }));
        const first = await send();
        assert.equal(first.status, 'Success');
        assert.deepEqual(await send(), first);
      });
    });

    describe('400', () => {
      // proves 7.2-managed/invalid-service-name managed-accounts/order-of-errors
      it('Invalid Service Name: before anything else about the request', async () => {
        const txid = await ready();
        for (const serviceName of ['Voice', ''])
          await refused(
            () => act({ serviceName, paccountName: UNKNOWN, txid: '' }, 'guest'),
            REFUSED.service,
          );
        assert.equal((await taken(act({ txid }))).status, 'Success');
      });

      // proves 4.4/session 7.2-managed/contact-has-no-access managed-accounts/order-of-errors
      it("contact has no access: a user with access to the account that is not the user's home account", async () => {
        const txid = await ready();
        await refused(() => act({ txid }, 'guest'), REFUSED.session);
        await refused(() => act({ txid: '', paccountName: UNKNOWN }, 'guest'), REFUSED.session);
      });

      // proves managed-accounts/who-activates
      it("contact has no access: also if the account manages others and a user's access makes it a primary", async () => {
        await db.exec(sql`
          insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
          values ('9000001', ${SECOND}, 'Location', ${MANAGED}, ${SKU}, 'cancelled', ${OTHER_TXID}, '2026-01-01')`);
        const txid = await ready();
        await refused(() => act({ txid }, 'guest'), REFUSED.session);
      });

      // proves 7.2-managed/primary-account-not-registered managed-accounts/unknown-primary
      it('Primary account not registered: it never managed an account, is unknown, or another customer’s', async () => {
        const txid = await ready();
        for (const paccountName of [RIVAL, UNKNOWN, STRANGER, MANAGED, 'no name'])
          await refused(() => act({ txid, paccountName, type: 'other' }), REFUSED.primary);
      });

      it('Acct Not Provisioned: added by another primary, with another type or for another service', async () => {
        await taken(add({ accountName: RIVAL, managedAccList: [SECOND] }, 'rival'));
        const txid = await ready();
        for (const wrong of [
          { paccountName: RIVAL },
          { type: 'SVC-LOC-COARSE-CellID-5K' },
          { type: '' },
          { serviceName: 'fota' },
        ]) {
          await refused(() => act({ txid, ...wrong }), REFUSED.parameters);
          await refused(() => act({ txid: OTHER_TXID, ...wrong }), REFUSED.parameters);
        }
      });

      // proves 7.2-managed/acct-not-provisioned managed-accounts/unknown-primary
      it('Acct Not Provisioned: not added at all, or cancelled since', async () => {
        await added(SECOND);
        await refused(() => act({ txid: OTHER_TXID }), REFUSED.parameters);
        await forget();
        const activation = await provisioned();
        const { txid } = await taken(cancel({ txid: activation }));
        for (const id of [txid, activation]) await refused(() => act({ txid: id }), REFUSED.parameters);
      });

      // proves 7.2-managed/txd-mismatch
      it('Txd Mismatch: the id belongs to no action on the account, or is malformed', async () => {
        await ready();
        for (const txid of [OTHER_TXID, '', 'x'.repeat(1_000)])
          await refused(() => act({ txid }), REFUSED.txid);
      });

      it('Input Binding Error: no transaction id in either spelling, or not text', async () => {
        await ready();
        await refused(() => act({}), binding('TxId is needed'));
        await refused(() => act({ TxId: null, txid: null }), binding('TxId is needed'));
        await refused(() => act({ txid: 5 }), binding('txid must be string'));
      });

      it('Invalid account name: there is no such account', () =>
        refused(() => act({ accountName: UNKNOWN, txid: OTHER_TXID }), REFUSED.account));
    });

    describe('401', () => {
      // proves refusals/no-access
      it('without access to the managed account, even for the primary', async () => {
        const txid = await ready();
        for (const user of ['primary', 'second', 'stranger'])
          await refused(() => act({ txid }, user), REFUSED.denied);
      });
    });
  });
}

describe('POST /subsc/v1/managedaccounts/actions/provision', () => {
  // proves 2.6/status-and-reason 3/managed-fails managed-accounts/activating-twice
  it('200: fails for an activated account, with the id of its addition or activation, and names the latter', async () => {
    const addition = await added();
    const { txid } = await taken(provision({ txid: addition }));
    for (const id of [addition, txid])
      assert.deepEqual(
        await taken(provision({ txid: id })),
        answered(txid, 'Fail', 'Acct Already activated'),
      );
    assert.equal((await readAudit()).length, 2);
    assert.equal((await taken(cancel({ txid }))).status, 'Success');
  });

  // proves managed-accounts/activating-twice
  it('400: Txd Mismatch for an activated account with any other id', async () => {
    await provisioned();
    await refused(() => provision({ txid: OTHER_TXID }), REFUSED.txid);
  });

  for (const accountName of [MANAGED, ACCOUNT]) {
    // proves 4.4/accounts managed-accounts/aggregated-billing
    it(`200: fails when ${accountName === MANAGED ? 'the account' : 'the primary'} is no longer enabled for aggregated billing`, async () => {
      const enable = (enabled: boolean) =>
        db.exec(sql`update account set aggregated_billing = ${enabled} where account_name = ${accountName}`);
      const txid = await added();
      await enable(false);
      const reason = 'The accounts must be enabled for aggregated billing';
      assert.deepEqual(await taken(provision({ txid })), answered(txid, 'Fail', reason));
      await enable(true);
      assert.equal((await taken(provision({ txid }))).status, 'Success');
    });
  }
});

describe('POST /subsc/v1/managedaccounts/actions/cancel', () => {
  it('400: Txd Mismatch with the id of the addition, which the activation has replaced', async () => {
    const txid = await added();
    await taken(provision({ txid }));
    await refused(() => cancel({ txid }), REFUSED.txid);
  });

  it('200: removes the account from both lists', async () => {
    await taken(cancel({ txid: await provisioned() }));
    const { ManagedAccAddedList, managedAccProvisionedList } = await taken(list());
    assert.deepEqual([ManagedAccAddedList, managedAccProvisionedList], [[], []]);
  });
});
