import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { writePayloads } from '../generate/write-payloads.ts';
import { writeRoutes } from '../generate/write-routes.ts';
import { type Schema, writeType } from '../generate/write-type.ts';

describe('the types of a schema', () => {
  const cases: readonly (readonly [Schema, string])[] = [
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ const: 4 }, '4'],
    [{}, 'unknown'],
    [{ anyOf: [{ type: 'number' }, { type: 'integer' }, { type: 'null' }] }, 'number | null'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'Array<"a" | "b">'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{\n  [name: string]: number;\n}'],
    [
      {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string' } },
        additionalProperties: true,
      },
      '{\n  id: string;\n  [name: string]: unknown;\n}',
    ],
    [
      { type: 'object', properties: { $page: { type: 'string', description: 'a */ b' }, 'x-y': {} } },
      '{\n  /** a * / b */\n  $page?: string;\n  "x-y"?: unknown;\n}',
    ],
  ];
  for (const [schema, type] of cases)
    it(`${JSON.stringify(schema)} are written`, () => assert.equal(writeType(schema, 'answered'), type));

  it('let a sender leave members undefined and give lists that may not be written', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };
    assert.equal(writeType(schema, 'sent'), '{\n  list?: ReadonlyArray<string> | undefined;\n}');
  });
});

describe('the types of a call', () => {
  it('have what it takes and what it answers, without its errors', () => {
    const schema = { type: 'string' };
    const json = { content: { 'application/json': { schema } } };
    const id = { in: 'path', name: 'id', required: true, schema };
    const parameters = [id, { in: 'query', name: 'page', schema, description: 'where to go on' }];
    const responses = { '200': json, '202': json, '4XX': json };
    const post = { summary: 'Does it', parameters, requestBody: { required: true, ...json }, responses };
    const [, members] = writeRoutes({ paths: { '/a/{id}': { post } } }).split('Routes {\n');
    assert.equal(
      members,
      `  /** Does it */
  "POST /a/{id}": {
    path: {
      id: string;
    };
    query?: {
      /** where to go on */
      page?: string | undefined;
    };
    body: string;
    answer: string;
  };
}
`,
    );
  });
});

describe('the types of a callback', () => {
  const document = {
    channels: { Some: { messages: { told: {}, 'not-told': {} } }, Other: { messages: { told: {} } } },
    components: {
      messages: {
        told: { summary: 'It is told', payload: { $ref: '#/components/schemas/told' } },
        'not-told': { payload: { $ref: '#/components/schemas/failure' } },
      },
      schemas: { told: { type: 'object', properties: { list: { type: 'array' } } }, failure: {} },
    },
  };

  it('have every message, and for each service which of them it posts', () => {
    const [, written] = writePayloads(document).split('CallbackMessages {\n');
    assert.equal(
      written,
      `  /** It is told */
  told: {
    list?: Array<unknown>;
  };
  "not-told": unknown;
}

/** The messages that a listener of each service gets. */
export interface CallbackServices {
  Some: "told" | "not-told";
  Other: "told";
}
`,
    );
  });

  it('are not written where a message has no schema', () =>
    assert.throws(
      () => writePayloads({ ...document, components: { ...document.components, schemas: {} } }),
      /asyncapi\.json has no #\/components\/schemas\/told/,
    ));
});

describe('the files of the client', () => {
  it('import nothing but each other, so that browsers can have them', () => {
    const folder = new URL('../', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    const foreign = files.flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '([^']+)'/g)]
        .filter(([, from]) => !/^\.\/[\w-]+\.ts$/.test(from!))
        .map(([, from]) => `${file} imports ${from}`),
    );
    assert.ok(files.length > 10);
    assert.deepEqual(foreign, []);
  });
});
