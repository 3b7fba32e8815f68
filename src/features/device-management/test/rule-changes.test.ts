import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { readStatements } from '../../../../test/support/statements.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { takeRuleChanges } from '../sql-rule-change.ts';

const ECPD = '9000001';
const imei = SMALL_FLEET.devices[0]!.imei;
const world = await makeWorld();
await world.import(SMALL_FLEET);
const { call } = await asUser(world);
const rule = { name: 'hot', rulesyntax: 'json', rulechain: { field: 't', operator: 'gt', value: 1 } };

/** The changes noted since the last call, by account and rule. */
const noted = async () =>
  (await takeRuleChanges(world.ctx.db, ECPD, 10)).map(({ accountName, ruleId }) => [accountName, ruleId]);
const ask = async (method: string, body: object) => {
  const answer = await call(method, '/dm/v1/rules', { accountname: ACCOUNT, ...body });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const create = async (): Promise<string> =>
  (await ask('POST', { resourceidentifier: { imei: Number(imei) }, rule })).id;
const importRule = (more: object) =>
  world.import({ rules: [{ accountName: ACCOUNT, deviceImei: imei, ...rule, ...more }] });
const byOperator = async (method: string, path: string, body?: object) => {
  const answer = await world.operator(method, path, body);
  assert.ok(answer.statusCode < 300, answer.body);
};

describe('a change of a rule is noted for the alert scheduler', () => {
  it('when requests create, overwrite and delete it', async () => {
    const id = await create();
    assert.deepEqual(await noted(), [[ACCOUNT, id]]);
    await ask('POST', { resourceidentifier: { id }, rule: { ...rule, name: 'hotter' } });
    assert.deepEqual(await noted(), [[ACCOUNT, id]]);
    await ask('DELETE', { resourceidentifier: { id } });
    assert.deepEqual(await noted(), [[ACCOUNT, id]]);
  });

  it('when an import creates or changes it, but not when the import leaves it unchanged', async () => {
    await importRule({});
    const [[accountName, id] = []] = await noted();
    assert.equal(accountName, ACCOUNT);
    await importRule({ disabled: true });
    assert.deepEqual(await noted(), [[ACCOUNT, id]]);
    await importRule({ disabled: true });
    assert.deepEqual(await noted(), []);
    await ask('DELETE', { resourceidentifier: { id } });
    await noted();
  });

  it('when it moves to another account with its device, and when it is deleted with the device', async () => {
    const id = await create();
    await noted();
    await byOperator('POST', `/devices/imei/${imei}/move`, { accountName: MANAGED });
    assert.deepEqual(await noted(), [[MANAGED, id]]);
    await byOperator('DELETE', `/devices/imei/${imei}`);
    assert.deepEqual(await noted(), [[MANAGED, id]]);
  });

  it('by every statement that writes rules', () => {
    const writing = readStatements().filter(({ own }) =>
      /\b(insert into|update|delete from) rule\b/.test(own),
    );
    assert.deepEqual(
      writing.filter(({ text }) => !text.includes('insert into rule_change')).map(({ name }) => name),
      [],
    );
    assert.equal(writing.length, 6);
  });
});
