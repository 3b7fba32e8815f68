import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
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
  return answer.json().errors as { pointer: string; line?: number; detail: string }[];
};

describe('the sections of a fleet document', () => {
  for (const [name, entry] of [
    ['devices', { accountName: ACCOUNT, imei: '990000000000201' }],
    ['plans', { code: 'TWICE' }],
    ['users', { username: 'twice', password: 'password-of-twice', accounts: [ACCOUNT] }],
    ['serviceableZips', '76051'],
  ] as const) {
    it(`422: ${name} that occur twice are reported, whatever they contain`, async () => {
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
    // proves fleet-document/repeated-sections
    it(`422: ${JSON.stringify(name)} is unknown, with or without entries`, async () => {
      const unknown = [{ pointer: `/${name}`, detail: 'is not a known section' }];
      assert.deepEqual(await errorsOf(`{"${name}": []}`), unknown);
      assert.deepEqual(await errorsOf(`{"${name}": [{}, 1], "plans": []}`), unknown);
    });
  }

  it('422: at most a hundred of them are named', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`unknown${i}`, []]));
    assert.equal((await errorsOf(JSON.stringify(many))).length, 100);
  });

  it('200: known ones may be empty', async () => {
    const answer = await operator('POST', '/import', '{"devices": [], "plans": []}');
    assert.deepEqual([answer.statusCode, answer.json()], [200, { counts: {} }]);
  });
});

describe('numbers in JSON documents within a fleet document', () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String);
  const broken = fc
    .tuple(whole, fc.stringMatching(/^[0-9]{0,30}[1-9]$/))
    .map(([before, after]) => `${before}.${after}`);
  const numbers = fc.array(fc.oneof(whole, broken), { minLength: 1, maxLength: 20 });
  const documentWith = (list: readonly string[]) => `{
    "devices": [{"accountName": "${ACCOUNT}", "imei": "990000000000011",
      "simulation": {"position": {"lat": 32.12345678901234567890, "lon": 1}},
      "record": {"customdata": {"of": "device", "n": [${list}]}, "licenses": [${list}]}}],
    "userProfiles": [{"accountName": "${ACCOUNT}", "email": "a@b.example", "customdata": {"n": [${list}]}}],
    "rules": [{"accountName": "${ACCOUNT}", "deviceImei": "990000000000011", "name": "r", "rulechain": {"n": [${list}]}}]
  }`;
  const listsIn = (text: string) =>
    [...text.matchAll(/"(?:n|licenses)": ?\[([^\]]*)\]/g)].map(([, list]) => list!.split(/, ?/));

  // proves fleet-document/digits
  it('keep their digits through import, export and import, which then changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (list) => {
        const answer = await operator('POST', '/import', documentWith(list));
        assert.equal(answer.statusCode, 200, answer.body);
        const first = await exported();
        assert.deepEqual(listsIn(first), [list, list, list, list]);
        assert.equal((await operator('POST', '/import', first)).statusCode, 200);
        assert.equal(await exported(), first);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('422: are not documents themselves', async () => {
    const long = '12345678901234567890';
    const document = `{
      "devices": [{"accountName": "${ACCOUNT}", "imei": "990000000000011", "record": {"customdata": ${long}}}],
      "rules": [{"accountName": "${ACCOUNT}", "deviceImei": "990000000000011", "name": "r", "rulechain": ${long}}]
    }`;
    assert.deepEqual(await errorsOf(document), [
      { pointer: '/devices/0/record/customdata', line: 2, detail: 'must be object' },
      { pointer: '/rules/0/rulechain', line: 3, detail: 'must be object' },
    ]);
  });

  it('422: are refused if they are too large to be stored', async () =>
    assert.deepEqual(await errorsOf(documentWith(['1e400'])), [
      { pointer: '/devices/0', line: 2, detail: 'has a number that is too large' },
      { pointer: '/userProfiles/0', line: 5, detail: 'has a number that is too large' },
      { pointer: '/rules/0', line: 6, detail: 'has a number that is too large' },
    ]));
});
