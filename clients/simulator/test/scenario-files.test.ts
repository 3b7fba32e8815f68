import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { readScenario, readSchema, SCENARIOS } from '../scenarios/index.ts';
import { parseScenario } from '../scenarios/read-scenario.ts';
import { fill, has } from '../scenarios/values.ts';

const HEAD = 'name: mine\nsummary: A story\nfleet: {}\n';
const refusal = (text: string): string => {
  try {
    parseScenario('mine.yaml', text);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}
/** All members of a shape, at any depth. */
const namesIn = ({ properties = {}, items }: Shape = {}): object => ({
  ...(items && namesIn(items)),
  ...Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, namesIn(shape)])),
});

describe('a scenario file', () => {
  it('that ships fits the schema that editors get', async () => {
    const check = new Ajv({ strict: false, validateSchema: false }).compile(await readSchema());
    for (const { file } of SCENARIOS) assert.ok(check(await readScenario(file)), file);
  });

  it('has rules of faults with the very members that the operator API takes', async () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const given = paths['/operator/v1/faults'].put.requestBody.content['application/json'].schema;
    const { steps } = ((await readSchema()) as { properties: { steps: { items: { anyOf: Shape[] } } } })
      .properties;
    const taken = steps.items.anyOf.find(({ properties = {} }) => 'faults' in properties);
    assert.deepEqual(namesIn(taken?.properties?.['faults']), namesIn(given));
  });

  it('that the documentation shows is one', () => {
    const [, example = ''] = /^```yaml\n(.*?)^```/ms.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
    assert.equal(parseScenario('docs/scenarios.md', example).steps.length, 3);
  });

  it('may be JSON', () => {
    const scenario = { name: 'mine', summary: 'A story', fleet: {}, steps: [{ clock: { advance: 'P1D' } }] };
    assert.deepEqual(parseScenario('mine.json', JSON.stringify(scenario, null, 2)), scenario);
  });

  const wrong: readonly (readonly [string, string, string])[] = [
    ['is no YAML', 'name: [', 'mine.yaml:1: '],
    [
      'misses a member',
      'name: mine\nsteps: [{ say: a }]\nfleet: {}',
      "mine.yaml:1: the file must have required property 'summary'",
    ],
    [
      'has a step that does nothing',
      `${HEAD}steps:\n  - say: a\n  - wait: 5`,
      'mine.yaml:6: steps.1 needs one of the members call, feed, clock, faults, listener, expect, say',
    ],
    [
      'has a member that a step of this kind has not',
      `${HEAD}steps:\n  - call: GET /x\n    records: []`,
      'mine.yaml:6: steps.0.records is unknown here',
    ],
    [
      'has a value that is none',
      `${HEAD}steps:\n  - feed: bytes\n    records: [{}]`,
      'mine.yaml:5: steps.0.feed must be one of usage, positions, readings',
    ],
    [
      'expects nothing in particular',
      `${HEAD}steps:\n  - expect:\n      - that: all is well`,
      'mine.yaml:6: steps.0.expect.0 must have exactly one of firings, callbacks, mail, sms, requests, devices, heard, answer, saved',
    ],
    [
      'has a rule of faults that does two things',
      `${HEAD}steps:\n  - faults:\n      - then: { status: 503, drop: before }`,
      'mine.yaml:6: steps.0.faults.0.then must have one of status, drop and expireToken',
    ],
    [
      'has a rule of faults that does nothing',
      `${HEAD}steps:\n  - faults:\n      - then: {}`,
      'mine.yaml:6: steps.0.faults.0.then must NOT have fewer than 1 properties',
    ],
  ];
  for (const [what, text, said] of wrong)
    it(`that ${what} is refused with its line and what is wrong`, () =>
      assert.ok(refusal(text).startsWith(said), refusal(text)));
});

describe('a value of a scenario', () => {
  const named = (inside: string) => `\${${inside}}`;
  const names = { now: '2026-05-04T12:00:00.000Z', sent: { requestId: 'r-1', count: 2 } };
  it('names what is known, with its type where it is the whole value', () => {
    assert.deepEqual(fill({ id: `x-${named('sent.requestId')}`, n: [named('sent.count')] }, names), {
      id: 'x-r-1',
      n: [2],
    });
    assert.equal(fill(named('now - P1DT1H'), names), '2026-05-03T11:00:00.000Z');
    assert.equal(fill(named(' now + PT5M '), names), '2026-05-04T12:05:00.000Z');
  });

  it('that names what is not known is refused', () => {
    assert.throws(() => fill(named('sent.id'), names), /\$\{sent\.id\} is unknown at this step/);
    assert.throws(() => fill(named('constructor'), names), /is unknown/);
    assert.throws(() => fill(named('sent.requestId + P1D'), names), /is not a time/);
  });

  it('is expected in parts: a list has all that is given of it, and * is whatever is there', () => {
    const row = { state: 'failed', attempts: [{ status: 503 }, { status: 500 }], pd: { x: 1, y: null } };
    assert.ok(has(row, { attempts: [{ status: 500 }], pd: { x: '*' } }));
    assert.ok(has(row, { attempts: { length: 2 } }));
    assert.ok(!has(row, { pd: { y: '*' } }));
    assert.ok(!has(row, { attempts: [{ status: 404 }] }));
  });
});
