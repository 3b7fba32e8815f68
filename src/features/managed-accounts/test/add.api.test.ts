import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { MANAGED_MAX } from '../../accounts/index.ts';
import * as scene from './scene.ts';

const { add, addByRival, provision, cancel, list, ...world } = await scene.makeScene();
const { taken, added, provisioned, refused, readAudit, forget, db } = world;
const { RIVAL, SECOND, UNBILLED, UNKNOWN, SKU, REFUSED } = scene;
beforeEach(forget);

const success = (id: string) => ({ id, status: 'Success', reason: 'Success' });
const failed = (id: string, reason: string) => ({ id, status: 'Fail', reason });
const statusOf = async (body: object, by?: string) => (await taken(add(body, by))).statusList;

describe('POST /subsc/v1/managedaccounts/actions/add', () => {
  describe('200', () => {
    it('adds every account with one transaction id, in both spellings, in the order of the request', async () => {
      const answer = await taken(add({ managedAccList: [SECOND, MANAGED] }));
      const { txid } = answer;
      assert.match(txid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual(answer, { txid, TxId: txid, statusList: [success(SECOND), success(MANAGED)] });
      const { ManagedAccAddedList } = await taken(list());
      assert.deepEqual(ManagedAccAddedList, [
        { id: MANAGED, txid },
        { id: SECOND, txid },
      ]);
    });

    it('says for each account why it cannot be added, and adds the others', async () => {
      const managedAccList = [UNBILLED, ACCOUNT, UNKNOWN, STRANGER, 'no name', '', MANAGED];
      assert.deepEqual(await statusOf({ managedAccList }), [
        failed(UNBILLED, 'The accounts must be enabled for aggregated billing'),
        failed(ACCOUNT, 'A primary account cannot manage itself'),
        failed(UNKNOWN, 'Invalid account name'),
        failed(STRANGER, 'Invalid account name'),
        failed('no name', 'Invalid account name'),
        failed('', 'Invalid account name'),
        success(MANAGED),
      ]);
    });

    it('adds and reports an account that is named twice once', async () =>
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED, SECOND, MANAGED] }), [
        success(MANAGED),
        success(SECOND),
      ]));

    // proves managed-accounts/adding-again managed-accounts/several-primaries
    it('adds an account that is not activated again, with a new id and another SKU; the earlier id becomes invalid', async () => {
      const first = await added();
      for (const type of [SKU, 'SVC-LOC-COARSE-CellID-5K']) {
        const { txid, statusList } = await taken(add({ managedAccList: [MANAGED], type }));
        assert.deepEqual(statusList, [success(MANAGED)]);
        assert.deepEqual((await taken(list())).ManagedAccAddedList, [{ id: MANAGED, txid }]);
        await refused(() => provision({ txid: first, type }), REFUSED.txid);
      }
      await refused(() => provision({ txid: first }), REFUSED.parameters);
    });

    // proves managed-accounts/several-primaries managed-accounts/adding-again
    it('adds an account that another primary has added; each addition has its own id', async () => {
      const txid = await added();
      const other = await taken(addByRival(MANAGED));
      assert.deepEqual(other.statusList, [success(MANAGED)]);
      assert.deepEqual((await taken(list())).ManagedAccAddedList, [{ id: MANAGED, txid }]);
      assert.deepEqual((await taken(list('/service/Location', 'rival', RIVAL))).ManagedAccAddedList, [
        { id: MANAGED, txid: other.txid },
      ]);
    });

    it('reports an account that is already activated, with this primary or another', async () => {
      await provisioned();
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED] }), [
        failed(MANAGED, 'Acct Already activated'),
      ]);
      assert.deepEqual((await taken(addByRival(MANAGED))).statusList, [
        failed(MANAGED, 'Acct Already activated for another primary account'),
      ]);
    });

    // proves managed-accounts/location-types managed-accounts/failed-entries
    it('fails every account and writes nothing if the type is not a SKU of the interface', async () => {
      await added();
      const before = await taken(list());
      const managedAccList = [MANAGED, SECOND, UNKNOWN, MANAGED];
      for (const type of ['SVC-LOC-COARSE-CellID-Agr', 'ACME-LOC-COARSE-CellID-5K', 'own-Sku', ` ${SKU}`]) {
        const { txid, TxId, statusList } = await taken(add({ managedAccList, type }));
        assert.deepEqual(
          statusList,
          [MANAGED, SECOND, UNKNOWN].map((id) => failed(id, 'Invalid service type')),
        );
        assert.equal(TxId, txid);
      }
      assert.deepEqual(await taken(list()), before);
      assert.equal((await readAudit()).length, 1);
    });

    it("accepts the SKUs of the interface with the installation's prefix, in any letter case", async () => {
      for (const size of ['5K', '10K', '100K', '1M', 'Aggr', 'Aggr-ECPD']) {
        const type = `SVC-LOC-COARSE-CellID-${size}`;
        for (const spelt of [type, type.toLowerCase(), type.toUpperCase()])
          assert.deepEqual(await statusOf({ managedAccList: [MANAGED], type: spelt }), [success(MANAGED)]);
        assert.deepEqual(await db.many(sql`select sku_name as sku from managed_account`), [{ sku: type }]);
      }
    });

    // proves managed-accounts/unknown-primary managed-accounts/failed-entries managed-accounts/location-types
    it('makes no chains: refuses an account that others are activated with, but adds one that has only added others', async () => {
      const { txid } = await taken(addByRival(SECOND));
      assert.deepEqual(await statusOf({ managedAccList: [RIVAL] }), [success(RIVAL)]);
      const body = { accountName: SECOND, paccountName: RIVAL, txid };
      assert.equal((await taken(provision(body, 'second'))).status, 'Success');
      assert.deepEqual(await statusOf({ managedAccList: [RIVAL] }), [
        failed(RIVAL, 'An account that manages others cannot be managed'),
      ]);
    });

    it('adds for each service separately, and accepts its name in any letter case', async () => {
      const txid = await added();
      const fota = { serviceName: 'FOTA', type: 'own-Sku', managedAccList: [MANAGED] };
      assert.deepEqual(await statusOf(fota), [success(MANAGED)]);
      assert.equal((await taken(list('/service/fOtA'))).ManagedAccAddedList.length, 1);
      assert.deepEqual((await taken(list())).ManagedAccAddedList, [{ id: MANAGED, txid }]);
    });

    it('stores the SKU of fota unchanged', async () => {
      await taken(add({ managedAccList: [MANAGED], serviceName: 'fota', type: 'own-Sku' }));
      assert.deepEqual(await db.many(sql`select sku_name as sku from managed_account`), [{ sku: 'own-Sku' }]);
    });

    // proves sessions/whose-credentials
    it('is open to any user with access to the account, also if it manages none yet', async () =>
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED] }, 'guest'), [success(MANAGED)]));

    it(`allows a primary account at most ${MANAGED_MAX} managed accounts`, async () => {
      await db.exec(sql`
        insert into account_directory (ecpd_id, account_name)
        select '9000001', '7-' || n from generate_series(1, ${MANAGED_MAX - 1}::int) n`);
      await db.exec(sql`
        insert into account (ecpd_id, account_name, time_zone, bill_cycle_day, real_time_rating, aggregated_billing,
          location_registered, created_at)
        select '9000001', '7-' || n, 'UTC', 1, false, true, false, ${world.ctx.now()}
        from generate_series(1, ${MANAGED_MAX - 1}::int) n`);
      await db.exec(sql`
        insert into managed_account (ecpd_id, account_name, service_name, paccount_name, sku_name, state, txid, updated_at)
        select ecpd_id, account_name, 'Location', ${ACCOUNT}, ${SKU}, 'added', gen_random_uuid(), ${world.ctx.now()}
        from account where account_name like '7-%'`);
      assert.deepEqual(await statusOf({ managedAccList: [SECOND, MANAGED] }), [
        success(SECOND),
        failed(MANAGED, 'The primary account has no room for more managed accounts'),
      ]);
      assert.equal((await taken(list())).ManagedAccAddedList.length, MANAGED_MAX);
      // An account that is already added needs no more room.
      assert.deepEqual(await statusOf({ managedAccList: [SECOND] }), [success(SECOND)]);
      await db.exec(sql`delete from account where account_name like '7-%'`);
    });

    it('is in the audit log with the added accounts, and only if there are any', async () => {
      const txid = await added(MANAGED, UNBILLED);
      await added(UNBILLED);
      assert.deepEqual(await readAudit(), [
        {
          actor: 'primary',
          action: 'addManagedAccounts',
          accountName: ACCOUNT,
          after: { serviceName: 'Location', type: SKU, txid, accounts: [MANAGED] },
        },
      ]);
    });

    it('gives a repeat with the same Idempotency-Key the answer of the first', async () => {
      const send = () => taken(add({ managedAccList: [MANAGED] }, 'primary', { 'idempotency-key': 'add-1' }));
      const first = await send();
      assert.deepEqual(first.statusList, [success(MANAGED)]);
      assert.deepEqual(await send(), first);
    });

    it('adds a cancelled account again, with a new id', async () => {
      const txid = await provisioned();
      await taken(cancel({ txid }));
      assert.deepEqual((await taken(addByRival(MANAGED))).statusList, [success(MANAGED)]);
      assert.deepEqual((await taken(list())).ManagedAccAddedList, []);
      assert.notEqual(await added(), txid);
      assert.equal((await taken(list())).ManagedAccAddedList.length, 1);
    });
  });

  describe('400', () => {
    // proves managed-accounts/services
    it('Invalid Service Name', async () => {
      for (const serviceName of ['Voice', '', 'Location '])
        await refused(() => add({ serviceName, managedAccList: [MANAGED] }), REFUSED.service);
    });

    it('a primary account that is not enabled for aggregated billing is not registered', () =>
      refused(
        () => add({ accountName: UNBILLED, managedAccList: [MANAGED] }, 'unbilled'),
        [
          REFUSED.primary[0],
          REFUSED.primary[1],
          'Primary account not registered: The accounts must be enabled for aggregated billing',
        ],
      ));

    // proves managed-accounts/unknown-primary
    it('makes no chains: a managed account cannot manage others, for any service', async () => {
      await provisioned();
      const body = { accountName: MANAGED, serviceName: 'fota', type: 'F', managedAccList: [SECOND] };
      await refused(
        () => add(body, 'managed'),
        [
          REFUSED.primary[0],
          REFUSED.primary[1],
          'Primary account not registered: an account that is managed cannot manage others',
        ],
      );
    });

    // proves managed-accounts/who-adds
    it("contact has no access: the account is managed and not the user's home account", async () => {
      const bySecond = { accountName: MANAGED, managedAccList: [SECOND] };
      await added();
      assert.deepEqual(await statusOf(bySecond, 'guest'), [success(SECOND)]);
      await forget();
      await provisioned();
      await refused(() => add(bySecond, 'guest'), REFUSED.session);
    });

    // proves managed-accounts/who-adds
    it('contact has no access: also if the managed account once managed others', async () => {
      const bySecond = { accountName: MANAGED, managedAccList: [SECOND] };
      await taken(add(bySecond, 'managed'));
      await provisioned();
      await refused(() => add(bySecond, 'guest'), REFUSED.session);
    });

    // proves managed-accounts/managed-limits
    it('Input Binding Error: an absent, empty or too long list, or a missing type', async () => {
      const tooMany = Array.from({ length: 1_001 }, (_, n) => `8-${n}`);
      const bodies = [
        {},
        ...[null, [], MANAGED, [1], tooMany].map((managedAccList) => ({ managedAccList })),
        ...[null, '', 7].map((type) => ({ type, managedAccList: [MANAGED] })),
      ];
      for (const body of bodies) {
        const { statusCode, body: text } = await add(body);
        const { errorCode, errorMessage } = JSON.parse(text);
        assert.deepEqual([statusCode, errorCode], [400, 'INVALID_PARAMETER']);
        assert.match(errorMessage, /^Input Binding Error/);
      }
    });

    it('Invalid account name: there is no such primary account', () =>
      refused(() => add({ accountName: UNKNOWN, managedAccList: [MANAGED] }), REFUSED.account));
  });

  describe('401', () => {
    it('without access to the primary account', async () => {
      await refused(() => add({ managedAccList: [MANAGED] }, 'managed'), REFUSED.denied);
      await refused(() => add({ managedAccList: [STRANGER] }, 'stranger'), REFUSED.denied);
    });
  });
});
