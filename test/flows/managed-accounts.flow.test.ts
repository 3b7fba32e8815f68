import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET, USER } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const PATH = '/subsc/v1/managedaccounts';
const CHILD = { username: 'child', password: 'child-password' };
const SERVICE = { serviceName: 'location', type: 'SVC-LOC-COARSE-CellID-Aggr' };

// proves 3/managed-activated managed-accounts/adding-and-listing managed-accounts/cancelling
it('an account is added, activated, cancelled, added and activated again; each step needs the id of the previous one', async () => {
  const world = await makeWorld();
  await world.import({
    ...SMALL_FLEET,
    accounts: SMALL_FLEET.accounts.map((account) => ({ ...account, locationRegistered: true })),
    users: [...SMALL_FLEET.users, { ...CHILD, accounts: [MANAGED] }],
  });
  const [primary, child] = [await asUser(world, USER), await asUser(world, CHILD)];
  const taken = async (answer: ReturnType<typeof primary.call>) => {
    const { statusCode, body } = await answer;
    assert.equal(statusCode, 200, body);
    return JSON.parse(body);
  };
  const add = async (): Promise<string> => {
    const body = { accountName: ACCOUNT, ...SERVICE, managedAccList: [MANAGED] };
    const { TxId, statusList } = await taken(primary.call('POST', `${PATH}/actions/add`, body));
    assert.deepEqual(statusList, [{ id: MANAGED, status: 'Success', reason: 'Success' }]);
    return TxId;
  };
  const act = (action: 'provision' | 'cancel', TxId: string) =>
    child.call('POST', `${PATH}/actions/${action}`, {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      ...SERVICE,
      TxId,
    });
  const done = async (action: 'provision' | 'cancel', TxId: string): Promise<string> => {
    const { TxId: next, status, reason } = await taken(act(action, TxId));
    assert.deepEqual([status, reason], ['Success', 'Success']);
    return next;
  };
  const mismatches = async (action: 'provision' | 'cancel', ...txids: string[]) => {
    for (const txid of txids) {
      const { statusCode, body } = await act(action, txid);
      assert.deepEqual([statusCode, JSON.parse(body).errorMessage], [400, 'Txd Mismatch']);
    }
  };
  const lists = async () => {
    const answer = await taken(primary.call('GET', `${PATH}/${ACCOUNT}/service/location`));
    return [answer.ManagedAccAddedList, answer.managedAccProvisionedList];
  };
  /** The accounts that the primary account's usage includes. */
  const billedWith = async () => {
    const range = { startDate: '01-01-2026', endDate: '01-31-2026', usageForAllAccounts: true };
    const { ManagedAccounts } = await taken(
      primary.call('POST', '/loc/v1/usage', { accountName: ACCOUNT, ...range }),
    );
    return ManagedAccounts.map(({ accountName }: { accountName: string }) => accountName);
  };

  const first = await add();
  assert.deepEqual(await lists(), [[{ id: MANAGED, txid: first }], []]);
  assert.deepEqual(await billedWith(), []);

  const second = await done('provision', first);
  assert.deepEqual(await lists(), [[], [{ id: MANAGED, txid: second }]]);
  assert.deepEqual(await billedWith(), [MANAGED]);
  await mismatches('cancel', first);

  const third = await done('cancel', second);
  assert.deepEqual(await lists(), [[], []]);
  assert.deepEqual(await billedWith(), []);

  const fourth = await add();
  assert.deepEqual(await lists(), [[{ id: MANAGED, txid: fourth }], []]);
  await mismatches('provision', first, second, third);

  const fifth = await done('provision', fourth);
  assert.deepEqual(await billedWith(), [MANAGED]);
  assert.equal(new Set([first, second, third, fourth, fifth]).size, 5);
  await mismatches('cancel', first, second, third, fourth);
});
