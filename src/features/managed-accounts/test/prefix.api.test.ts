import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const SKU = 'Acme-LOC-COARSE-CellID-1M';

// proves managed-accounts/location-types
it('POST /subsc/v1/managedaccounts/actions/add 200: accepts only SKUs with the prefix of the installation, in its own spelling', async () => {
  const world = await makeWorld({ env: { LINEKEEPER_PREFIX: 'Acme' } });
  await world.import(SMALL_FLEET);
  const { call, sessionToken } = await asUser(world);
  const add = async (type: string) => {
    const body = { accountName: ACCOUNT, serviceName: 'Location', type, managedAccList: [MANAGED] };
    const answer = await call('POST', '/subsc/v1/managedaccounts/actions/add', body, {
      'acme-m2m-token': sessionToken,
    });
    return answer.json().statusList[0].reason;
  };
  assert.equal(await add(SKU.toLowerCase()), 'Success');
  assert.equal(await add('SVC-LOC-COARSE-CellID-1M'), 'Invalid service type');
  const { managedAccounts } = (await world.operator('GET', '/export')).json();
  assert.deepEqual(
    managedAccounts.map(({ type }: { type: string }) => type),
    [SKU],
  );
});
