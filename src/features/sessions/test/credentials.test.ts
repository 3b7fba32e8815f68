import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { hasCredentialsOf, isHomeAccount } from '../credentials.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  managedAccounts: [
    {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      serviceName: 'Location',
      type: 'SVC-LOC-COARSE-CellID-Aggr',
    },
  ],
});

const principal = (...names: string[]) => ({
  username: 'u',
  sessionHash: '',
  accounts: new Map(names.map((name) => [name as AccountName, '9000001' as EcpdId])),
});
const tenant = (accountName: string) => ({
  ecpdId: '9000001' as EcpdId,
  accountName: accountName as AccountName,
});
const has = (names: string[], accountName: string) =>
  hasCredentialsOf(world.ctx, principal(...names), tenant(accountName));

it('a session has the credentials of its home account', async () => {
  assert.equal(await has([MANAGED], MANAGED), true);
  assert.equal(await has([ACCOUNT], ACCOUNT), true);
});

it('a session with access to a primary account has its credentials, also when its home is another', async () =>
  assert.equal(await has([MANAGED, ACCOUNT], ACCOUNT), true));

it('a session that may use a managed account from elsewhere does not have its credentials', async () => {
  assert.equal(await has([ACCOUNT, MANAGED], MANAGED), false);
  assert.equal(await has([ACCOUNT], MANAGED), false);
});

it('a session is at home in the first account of its user only, primary or not', () => {
  assert.equal(isHomeAccount(principal(MANAGED, ACCOUNT), tenant(MANAGED)), true);
  assert.equal(isHomeAccount(principal(MANAGED, ACCOUNT), tenant(ACCOUNT)), false);
  assert.equal(isHomeAccount(principal(), tenant(ACCOUNT)), false);
});
