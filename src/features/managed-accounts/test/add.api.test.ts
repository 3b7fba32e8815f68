import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { MANAGED_MAX } from '../../accounts/index.ts';
import * as scene from './scene.ts';

const { add, provision, cancel, list, taken, added, provisioned, refused, readAudit, forget, db, ...world } =
  await scene.makeScene();
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

    it('adds and answers an account once that is named twice', async () =>
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED, SECOND, MANAGED] }), [
        success(MANAGED),
        success(SECOND),
      ]));

    it('says so of an account that is added or activated already, by this primary or another', async () => {
      const byRival = { accountName: RIVAL, managedAccList: [MANAGED] };
      await added();
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED] }), [
        failed(MANAGED, 'Acct Already added'),
      ]);
      assert.deepEqual(await statusOf(byRival, 'rival'), [
        failed(MANAGED, 'Acct Already added by another primary account'),
      ]);
      await forget();
      await provisioned();
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED] }), [
        failed(MANAGED, 'Acct Already activated'),
      ]);
      assert.deepEqual(await statusOf(byRival, 'rival'), [
        failed(MANAGED, 'Acct Already activated for another primary account'),
      ]);
    });

    it('leaves the transaction id of an account that is added already as it was', async () => {
      const txid = await added();
      await taken(add({ managedAccList: [MANAGED, SECOND] }));
      assert.equal((await taken(provision({ txid }))).status, 'Success');
    });

    it('makes no chains: an account that manages others is not added', async () => {
      await taken(add({ accountName: RIVAL, managedAccList: [SECOND] }, 'rival'));
      assert.deepEqual(await statusOf({ managedAccList: [RIVAL] }), [
        failed(RIVAL, 'An account that manages others cannot be managed'),
      ]);
    });

    it('adds for each service by itself, and reads its name in any letter case', async () => {
      await added();
      for (const serviceName of ['FOTA', 'fota']) {
        const [{ status }] = await statusOf({ serviceName, type: 'SVC-FOTA', managedAccList: [MANAGED] });
        assert.equal(status, serviceName === 'FOTA' ? 'Success' : 'Fail');
      }
      assert.equal((await taken(list('/service/fOtA'))).ManagedAccAddedList.length, 1);
    });

    it('keeps a SKU of the interface as the interface spells it, whatever its letter case, and another as it is', async () => {
      await taken(add({ managedAccList: [MANAGED], type: SKU.toUpperCase() }));
      await taken(add({ managedAccList: [SECOND], type: 'own-Sku' }));
      assert.deepEqual(
        await db.many(sql`select sku_name as sku from managed_account order by account_name`),
        [{ sku: SKU }, { sku: 'own-Sku' }],
      );
    });

    it('is open to a user who may use the account, also when it manages nobody yet', async () =>
      assert.deepEqual(await statusOf({ managedAccList: [MANAGED] }, 'guest'), [success(MANAGED)]));

    it(`fills a primary account up to ${MANAGED_MAX} and no further`, async () => {
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
    });

    it('is in the audit log with what was added, and only then', async () => {
      const txid = await added(MANAGED, UNBILLED);
      await added(MANAGED);
      assert.deepEqual(await readAudit(), [
        {
          actor: 'primary',
          action: 'addManagedAccounts',
          accountName: ACCOUNT,
          after: { serviceName: 'Location', type: SKU, txid, accounts: [MANAGED] },
        },
      ]);
    });

    it('answers a repeat with the same Idempotency-Key as it answered the first', async () => {
      const send = () => taken(add({ managedAccList: [MANAGED] }, 'primary', { 'idempotency-key': 'add-1' }));
      const first = await send();
      assert.deepEqual(first.statusList, [success(MANAGED)]);
      assert.deepEqual(await send(), first);
    });

    it('adds an account again, with a new id, when it was cancelled', async () => {
      const txid = await provisioned();
      await taken(cancel({ txid }));
      const byRival = { accountName: RIVAL, managedAccList: [MANAGED] };
      assert.deepEqual(await statusOf(byRival, 'rival'), [success(MANAGED)]);
      assert.deepEqual((await taken(list())).ManagedAccAddedList, []);
    });
  });

  describe('400', () => {
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

    it('makes no chains: an account that is managed manages no others, whatever the service', async () => {
      await added();
      const body = { accountName: MANAGED, serviceName: 'fota', managedAccList: [SECOND] };
      await refused(
        () => add(body, 'managed'),
        [
          REFUSED.primary[0],
          REFUSED.primary[1],
          'Primary account not registered: an account that is managed cannot manage others',
        ],
      );
    });

    it('contact has no access: the account is managed, and the user is at home elsewhere', async () => {
      await added();
      await refused(() => add({ accountName: MANAGED, managedAccList: [SECOND] }, 'guest'), REFUSED.session);
    });

    it('Input Binding Error: a list that is absent, empty or too long, a type that is missing', async () => {
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
