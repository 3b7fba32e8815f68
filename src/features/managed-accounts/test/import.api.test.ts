import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT, MANAGED } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { provision, cancel, list, ...world } = await scene.makeScene();
const { taken, added, addedByRival, provisioned, forget, operator, db } = world;
const { RIVAL, SECOND, SKU } = scene;
beforeEach(forget);

const entry = (accountName: string, paccountName: string, state = 'provisioned') => ({
  accountName,
  paccountName,
  serviceName: 'Location',
  type: SKU,
  state,
});
const put = async (...managedAccounts: object[]) => {
  const answer = await operator('POST', '/import', { managedAccounts });
  assert.equal(answer.statusCode, 200, answer.body);
};
const kept = async () => (await operator('GET', '/export')).json().managedAccounts ?? [];
const periods = () =>
  db.many<{ primary: string; always: boolean; lasts: boolean }>(sql`
    select paccount_name as primary, from_at = '-infinity' as always, to_at = 'infinity' as lasts from managed_period
    order by from_at`);

// proves fleet-document/managed-entries
describe('POST /operator/v1/import: managedAccounts', () => {
  it('200: an account can have an addition by each primary, and is exported as it was imported', async () => {
    const document = [entry(MANAGED, ACCOUNT, 'added'), entry(MANAGED, RIVAL, 'added')];
    await put(...document);
    assert.deepEqual(await kept(), document);
    await put(...document);
    assert.deepEqual(await kept(), document);
  });

  it('200: keeps the transaction ids of relations that it repeats', async () => {
    const [txid, other] = [await added(), await addedByRival()];
    await put({ accountName: MANAGED, paccountName: ACCOUNT, serviceName: 'Location' });
    assert.equal((await taken(provision({ txid }))).status, 'Success');
    assert.equal((await taken(provision({ paccountName: RIVAL, txid: other }))).status, 'Fail');
  });

  it('200: an activation ends the additions of others and the earlier activation', async () => {
    await added();
    await put(entry(MANAGED, RIVAL));
    assert.deepEqual(await kept(), [entry(MANAGED, RIVAL)]);
    world.pass(1_000);
    await put({ accountName: MANAGED, paccountName: ACCOUNT, serviceName: 'Location' });
    assert.deepEqual(await kept(), [entry(MANAGED, ACCOUNT)]);
    const [{ txid }] = (await taken(list())).managedAccProvisionedList;
    assert.equal((await taken(cancel({ txid }))).status, 'Success');
  });

  it('200: an account without history counts as always activated, others as activated from now on', async () => {
    await put(entry(MANAGED, ACCOUNT));
    assert.deepEqual(await periods(), [{ primary: ACCOUNT, always: true, lasts: true }]);
    world.pass(1_000);
    await put(entry(MANAGED, RIVAL));
    assert.deepEqual(await periods(), [
      { primary: ACCOUNT, always: true, lasts: false },
      { primary: RIVAL, always: false, lasts: true },
    ]);
    world.pass(1_000);
    await put(entry(MANAGED, RIVAL, 'added'));
    assert.deepEqual(
      (await periods()).map(({ lasts }) => lasts),
      [false, false],
    );
  });

  it('200: additions make no chain', async () => {
    const document = [entry(RIVAL, ACCOUNT), entry(SECOND, RIVAL, 'added')];
    await put(...document);
    assert.deepEqual(await kept(), document);
  });

  for (const [what, document, pointer, detail] of [
    [
      'two activations of one account',
      [entry(MANAGED, ACCOUNT), entry(MANAGED, RIVAL)],
      '/managedAccounts/0/paccountName',
      'is not the primary account that the account is activated with',
    ],
    [
      'an addition together with an activation',
      [entry(MANAGED, ACCOUNT), entry(MANAGED, RIVAL, 'added')],
      '/managedAccounts/1/paccountName',
      'is not the primary account that the account is activated with',
    ],
    [
      'a chain within the document',
      [entry(RIVAL, ACCOUNT), entry(SECOND, RIVAL)],
      '/managedAccounts/1/paccountName',
      'is itself managed by another account',
    ],
    [
      'the same twice',
      [entry(MANAGED, ACCOUNT), entry(MANAGED, ACCOUNT)],
      '/managedAccounts/1/accountName',
      'stands in the document twice',
    ],
    [
      'itself as its primary',
      [entry(MANAGED, MANAGED)],
      '/managedAccounts/0/paccountName',
      'is not another account of the same profile',
    ],
    [
      'no primary where there are two',
      [{ accountName: SECOND, serviceName: 'Location', type: SKU }],
      '/managedAccounts/0/paccountName',
      "must have required property 'paccountName'",
    ],
  ] as const)
    it(`422: refuses ${what}`, async () => {
      await taken(world.add({ managedAccList: [SECOND] }));
      await addedByRival(SECOND);
      const before = await kept();
      const answer = await operator('POST', '/import', { managedAccounts: document });
      assert.equal(answer.statusCode, 422, answer.body);
      assert.deepEqual(answer.json().errors[0], { pointer, detail });
      assert.deepEqual(await kept(), before);
    });

  it('422: refuses an addition by a primary other than the one the account is activated with', async () => {
    await provisioned();
    const answer = await operator('POST', '/import', { managedAccounts: [entry(MANAGED, RIVAL, 'added')] });
    assert.equal(answer.statusCode, 422, answer.body);
    assert.deepEqual(await kept(), [entry(MANAGED, ACCOUNT)]);
  });

  it('422: refuses a chain with stored relations, from either end', async () => {
    await provisioned();
    for (const [document, detail] of [
      [entry(SECOND, MANAGED), 'is itself managed by another account'],
      [entry(ACCOUNT, RIVAL), 'manages other accounts itself'],
    ] as const) {
      const answer = await operator('POST', '/import', { managedAccounts: [document] });
      assert.equal(answer.statusCode, 422, answer.body);
      assert.equal(answer.json().errors[0].detail, detail);
    }
    // The same document releases the account.
    await put(entry(MANAGED, ACCOUNT, 'added'), entry(ACCOUNT, RIVAL));
  });
});
