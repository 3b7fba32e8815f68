import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { findLines } from '../../../platform/json/find-lines.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);

interface Problem {
  readonly pointer: string;
  readonly line?: number;
  readonly detail: string;
}
const errorsOf = async (text: string): Promise<readonly Problem[]> => {
  const answer = await world.operator('POST', '/import', text);
  assert.equal(answer.statusCode, 422, answer.body);
  return answer.json().errors;
};
const device = (imei: string, more: object = {}) => ({ accountName: ACCOUNT, imei, ...more });

/** What is wrong with each is found at another step of an import. */
const WRONG: Readonly<Record<string, object>> = {
  'a member with another shape': { devices: [device('990000000000051'), device('x')] },
  'a member that is missing': { devices: [device('990000000000051'), { imei: '990000000000052' }] },
  'an unknown member': { plans: [{ code: 'A', name: 'A', kind: 'share', colour: 'red' }] },
  'a member far inside of an entry': {
    devices: [device('990000000000051', { simulation: { online: true, error: 'SUNBURN' } })],
  },
  'a name of nothing': { devices: [device('990000000000051', { servicePlan: 'NONE' })] },
  'an account that is not there': { devices: [{ imei: '990000000000051', accountName: '0000555555-00005' }] },
  'the same twice': { devices: [device('990000000000051'), device('990000000000051')] },
  'an unknown section': { plans: [], gadgets: [{ a: 1 }] },
};

describe('the problems of a fleet document', () => {
  for (const [name, document] of Object.entries(WRONG))
    it(`have the line of ${name}`, async () => {
      const text = JSON.stringify(document, null, 2);
      const errors = await errorsOf(text);
      assert.ok(errors.length > 0);
      for (const { pointer, line } of errors) {
        // For a section, the line of its name is reported, and its list begins on the same line.
        assert.equal(line, findLines(text, [pointer]).of(pointer), pointer);
        assert.ok(line! > 1);
      }
    });

  it('have the line on which an entry stops being valid JSON', async () => {
    const text = '{\n"plans": [\n{"code": "A",\n"name" "A"}\n]}';
    assert.deepEqual(await errorsOf(text), [{ pointer: '/plans/0', line: 4, detail: 'is not valid JSON' }]);
  });

  it('have the line on which the document stops being valid', async () => {
    const [problem] = await errorsOf('{\n"plans": []\n"devices": []}');
    assert.deepEqual([problem?.pointer, problem?.line], ['', 3]);
  });

  it('include entries that are nested too deeply or very long', async () => {
    const deep = await errorsOf(`{"plans": [\n\n${'['.repeat(10_000)}\n${']'.repeat(10_000)}]}`);
    assert.deepEqual([deep[0]?.line, deep[0]?.detail], [3, 'is nested too deep']);
    const long = { code: 'A', name: 'x'.repeat(100_000), kind: 'odd' };
    const [first] = await errorsOf(`{"plans": [\n${JSON.stringify(long, null, 1)}]}`);
    assert.equal(first?.line, 2);
  });

  it('have no line in a document on one line', async () => {
    for (const document of Object.values(WRONG))
      for (const { line } of await errorsOf(`${JSON.stringify(document)}\n`)) assert.equal(line, undefined);
  });
});
