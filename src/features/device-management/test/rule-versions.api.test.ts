import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ACCOUNT,
  asUser,
  SMALL_FLEET,
  STRANGER,
  STRANGER_USER,
  USER,
} from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from '../../console/test/scene.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { call } = await asUser(world);
const stranger = await asUser(world, STRANGER_USER);
const operator = await signIn(world);
const own = { accountname: ACCOUNT };
const [{ id: deviceid }] = (
  await call('POST', '/dm/v1/devices/actions/query', { ...own, resourceidentifier: {}, filter: {} })
).json();
const pathOf = (ruleId: string, query = '', account = ACCOUNT) =>
  `/dm/v1/accounts/${account}/rules/${ruleId}/versions${query}`;

describe('GET /dm/v1/accounts/{accountName}/rules/{ruleId}/versions', () => {
  it('200: says who changed what, newest first, and numbers keep their digits', async () => {
    const long = '{"field":"t","operator":"gt","value":12345678901234567890}';
    const fields = `{"name":"Hot","deviceid":"${deviceid}","rulesyntax":"json","rulechain":${long}}`;
    const posted = await call('POST', '/dm/v1/rules', `{"accountname":"${ACCOUNT}","rule":${fields}}`);
    const { id } = posted.json();
    const rulechain = { field: 't', operator: 'gt', value: 5 };
    const hotter = { name: 'Hotter', description: '', disabled: false, rulesyntax: 'json', rulechain };
    await operator.call('POST', '/dm/v1/rules', { ...own, resourceidentifier: { id }, rule: hotter });
    await world.import({ rules: [{ id, accountName: ACCOUNT, deviceid, name: 'Hottest' }] });

    const answer = await call('GET', pathOf(id));
    const { versions } = answer.json();
    type Version = Record<'change' | 'actorkind' | 'actor', string> &
      Record<'before' | 'after', { name: string } | null>;
    assert.deepEqual(
      versions.map((one: Version) => [
        one.change,
        `${one.actorkind} ${one.actor}`,
        one.before?.name,
        one.after?.name,
      ]),
      [
        ['imported', 'operator first', 'Hotter', 'Hottest'],
        ['changed', 'operator first', 'Hot', 'Hotter'],
        ['created', `user ${USER.username}`, undefined, 'Hot'],
      ],
    );
    assert.deepEqual(versions[1].after, hotter);
    assert.equal(versions[2].before, null);
    assert.match(answer.body, /"value":12345678901234567890/);
    assert.equal((await operator.call('GET', pathOf(id))).body, answer.body);

    const first = (await call('GET', pathOf(id, '?limit=2'))).json();
    const rest = (await call('GET', pathOf(id, `?limit=2&page=${first.next}`))).json();
    assert.equal(rest.versions[0].change, 'created');
    assert.deepEqual((await stranger.call('GET', pathOf(id, '', STRANGER))).json(), { versions: [] });
  });
});
