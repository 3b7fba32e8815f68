import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { isHomeAccount } from '../authenticate.ts';

const principal = (...names: string[]) => ({
  username: 'u',
  sessionHash: '',
  accounts: new Map(names.map((name) => [name as AccountName, '9000001' as EcpdId])),
});
const tenant = (accountName: string) => ({
  ecpdId: '9000001' as EcpdId,
  accountName: accountName as AccountName,
});

// proves 5/rule-1 sessions/whose-credentials
it('a session is at home in the first account of its user only, primary or not', () => {
  assert.equal(isHomeAccount(principal(MANAGED, ACCOUNT), tenant(MANAGED)), true);
  assert.equal(isHomeAccount(principal(MANAGED, ACCOUNT), tenant(ACCOUNT)), false);
  assert.equal(isHomeAccount(principal(), tenant(ACCOUNT)), false);
});
