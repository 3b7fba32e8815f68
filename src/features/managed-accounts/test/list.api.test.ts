import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import * as scene from './scene.ts';

const { list, provision, taken, added, refused, forget, ...world } = await scene.makeScene();
const { RIVAL, SECOND, UNKNOWN, SKU, REFUSED, binding } = scene;
beforeEach(forget);

/** SECOND is added, MANAGED added and activated. */
async function makeTwo() {
  const addition = await added(SECOND, MANAGED);
  const { txid } = await taken(provision({ txid: addition }));
  return { addedOnes: [{ id: SECOND, txid: addition }], activatedOnes: [{ id: MANAGED, txid }] };
}
const listed = (added: object[], provisioned: object[], accountName = ACCOUNT) => ({
  accountName,
  ManagedAccAddedList: added,
  managedAccAddedList: added,
  managedAccProvisionedList: provisioned,
  ManagedAccProvisionedList: provisioned,
});

describe('GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}', () => {
  // proves 4.10/managed-accounts managed-accounts/adding-and-listing
  it('200: lists added and activated accounts with their last ids, each list in both capitalisations', async () => {
    const { addedOnes, activatedOnes } = await makeTwo();
    for (const name of ['Location', 'location', 'LOCATION'])
      assert.deepEqual(await taken(list(`/service/${name}`)), listed(addedOnes, activatedOnes));
  });

  it('200: lists accounts from the fleet document, which may spell the service in any letter case', async () => {
    const row = { accountName: MANAGED, paccountName: ACCOUNT, serviceName: 'LOCATION', type: SKU };
    await world.import({ managedAccounts: [{ ...row, state: 'provisioned' }] });
    const { managedAccProvisionedList } = await taken(list());
    assert.deepEqual(
      managedAccProvisionedList.map(({ id }: { id: string }) => id),
      [MANAGED],
    );
    const unknown = await world.operator('POST', '/import', {
      managedAccounts: [{ ...row, serviceName: 'Voice' }],
    });
    assert.equal(unknown.statusCode, 422);
  });

  it('200: gives accounts from the fleet document the SKUs in the letter case of the interface', async () => {
    const row = { accountName: MANAGED, paccountName: ACCOUNT, serviceName: 'Location' };
    await world.import({ managedAccounts: [{ ...row, type: SKU.toLowerCase() }] });
    const { managedAccounts } = (await world.operator('GET', '/export')).json();
    assert.deepEqual(managedAccounts, [{ ...row, type: SKU, state: 'added' }]);
  });

  // proves managed-accounts/adding-and-listing
  it('200: is empty for another service, and for an account that manages none', async () => {
    await makeTwo();
    assert.deepEqual(await taken(list('/service/fota')), listed([], []));
    assert.deepEqual(await taken(list('/service/Location', 'rival', RIVAL)), listed([], [], RIVAL));
  });

  it('200: is open to a user with access to the primary account that has another home account', async () => {
    const { addedOnes, activatedOnes } = await makeTwo();
    assert.deepEqual(await taken(list('/service/Location', 'guest')), listed(addedOnes, activatedOnes));
  });

  it('400: Invalid Service Name', () => refused(() => list('/service/voice'), REFUSED.service));

  it("400: contact has no access: the account is managed and not the user's home account", async () => {
    await makeTwo();
    await refused(() => list('/service/Location', 'guest', MANAGED), REFUSED.session);
  });

  it('400: Invalid account name: there is no such account', () =>
    refused(() => list('/service/Location', 'primary', UNKNOWN), REFUSED.account));

  it('401: without access to the primary account, even for an account it manages', async () => {
    await makeTwo();
    for (const user of ['managed', 'stranger'])
      await refused(() => list('/service/Location', user), REFUSED.denied);
  });
});

describe('GET /subsc/v1/managedaccounts/{accountName}/service/{serviceName}/status/{status}', () => {
  it('200: fills only the list of the status, which is accepted in any letter case', async () => {
    const { addedOnes, activatedOnes } = await makeTwo();
    for (const status of ['added', 'Added', 'ADDED'])
      assert.deepEqual(await taken(list(`/service/Location/status/${status}`)), listed(addedOnes, []));
    for (const status of ['provisioned', 'Provisioned'])
      assert.deepEqual(await taken(list(`/service/Location/status/${status}`)), listed([], activatedOnes));
  });

  it('400: Input Binding Error for a status that cannot be listed', async () => {
    for (const status of ['cancelled', 'active'])
      await refused(
        () => list(`/service/Location/status/${status}`),
        binding('status must be added or provisioned'),
      );
  });

  it('400: Invalid Service Name', () => refused(() => list('/service/voice/status/added'), REFUSED.service));

  it('401: without access to the primary account', () =>
    refused(() => list('/service/Location/status/added', 'managed'), REFUSED.denied));
});
