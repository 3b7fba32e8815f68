import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

const world = await makeWorld();
const { operator } = world;
await world.import(SMALL_FLEET);

const exported = async () => (await operator('GET', '/export')).body;
const errorsOf = async (text: string) => {
  const before = await exported();
  const answer = await operator('POST', '/import', text);
  assert.equal(answer.statusCode, 422, answer.body);
  assert.equal(await exported(), before, 'nothing is changed by a refused document');
  return answer.json().errors as { pointer: string; detail: string }[];
};

describe('the sections of a fleet document', () => {
  for (const [name, entry] of [
    ['devices', { accountName: ACCOUNT, imei: '990000000000201' }],
    ['plans', { code: 'TWICE' }],
    ['users', { username: 'twice', password: 'password-of-twice', accounts: [ACCOUNT] }],
    ['serviceableZips', '76051'],
  ] as const) {
    it(`422: ${name} that stand twice are pointed at, whatever is in them`, async () => {
      const list = `"${name}": [${JSON.stringify(entry)}]`;
      const twice = [{ pointer: `/${name}`, detail: 'stands in the document twice' }];
      assert.deepEqual(await errorsOf(`{${list}, ${list}}`), twice);
      assert.deepEqual(await errorsOf(`{${list}, "${name}": []}`), twice);
      assert.deepEqual(await errorsOf(`{"${name}": [], "plans ": [], ${list}}`), [
        { pointer: '/plans ', detail: 'is not a known section' },
        ...twice,
      ]);
    });
  }

  for (const name of ['foo', 'Devices', '', '__proto__', 'constructor']) {
    it(`422: ${JSON.stringify(name)} is not known, with or without entries`, async () => {
      const unknown = [{ pointer: `/${name}`, detail: 'is not a known section' }];
      assert.deepEqual(await errorsOf(`{"${name}": []}`), unknown);
      assert.deepEqual(await errorsOf(`{"${name}": [{}, 1], "plans": []}`), unknown);
    });
  }

  it('422: no more than a hundred of them are named', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`unknown${i}`, []]));
    assert.equal((await errorsOf(JSON.stringify(many))).length, 100);
  });

  it('200: known ones may be empty', async () => {
    const answer = await operator('POST', '/import', '{"devices": [], "plans": []}');
    assert.deepEqual([answer.statusCode, answer.json()], [200, { counts: {} }]);
  });
});
