import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Fastify from 'fastify';
import { Type } from 'typebox';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { accountIn } from '../access.ts';
import { speak } from '../dialect.ts';
import { m2mDialect } from '../dialects.ts';
import { guard } from '../guard.ts';
import { compileValidator } from '../schema-compilers.ts';

const [ONE, TWO, OTHER] = ['1-1', '2-2', '9-9'];
const api = Fastify();
api.setValidatorCompiler(compileValidator);
for (const name of ['ctx', 'dialect', 'clientId', 'principal', 'tenant']) api.decorateRequest(name);
speak(api, m2mDialect);
guard(api, {
  client: () => 'app',
  user: ({ headers }) => ({
    username: 'u',
    sessionHash: '',
    accounts: new Map(
      String(headers['x-accounts'])
        .split(' ')
        .map((name) => [name as AccountName, 'p' as EcpdId]),
    ),
  }),
  operator: () => Promise.reject(new Error('not asked for here')),
  hasCookie: () => false,
  isReachable: () => true,
  viewer: () => Promise.reject(new Error('not asked for here')),
  listAccountsOf: () => Promise.reject(new Error('not asked for here')),
  findTenant: async (_ctx, name) =>
    name === OTHER ? { ecpdId: 'p' as never, accountName: name } : undefined,
});
const body = Type.Object({ accountName: Type.Optional(Type.String()) });
api.post(
  '/m2m',
  { config: { access: accountIn('body', { mayBeAbsent: true }) }, schema: { body } },
  async ({ tenant }) => tenant,
);
after(() => api.close());

const post = async (accounts: string[], payload: object) => {
  const answer = await api.inject({
    method: 'POST',
    url: '/m2m',
    headers: { 'x-accounts': accounts.join(' ') },
    payload,
  });
  return [answer.statusCode, answer.json().accountName ?? answer.json().errorCode];
};

describe('a route with an optional account', () => {
  // proves requests/account-not-named
  it("uses the session's only account, even for null", async () => {
    assert.deepEqual(await post([ONE!], {}), [200, ONE]);
    assert.deepEqual(await post([ONE!], { accountName: null }), [200, ONE]);
  });

  // proves requests/account-not-named
  it('requires it if the session has several', async () => {
    assert.deepEqual(await post([ONE!, TWO!], {}), [
      400,
      'UnifiedWebService.REQUEST_FAILED.MultipleAccounts',
    ]);
    assert.deepEqual(await post([ONE!, TWO!], { accountName: TWO }), [200, TWO]);
  });

  // proves refusals/no-access
  it("refuses another customer's account with 401, an unknown one with 400, and an invalid name before both", async () => {
    assert.deepEqual(await post([ONE!], { accountName: OTHER }), [
      401,
      'UnifiedWebService.REQUEST_FAILED.AccountName',
    ]);
    assert.deepEqual(await post([ONE!], { accountName: '5-5' }), [
      400,
      'UnifiedWebService.REQUEST_FAILED.AccountNotFound',
    ]);
    assert.deepEqual(await post([ONE!], { accountName: 5 }), [
      400,
      'UnifiedWebService.INPUT_INVALID.RequestUndefined',
    ]);
  });
});
