import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asOpenApi30 } from './openapi-30.ts';

describe('the document in OpenAPI 3.0', () => {
  const schemaOf = (schema: object) =>
    (asOpenApi30({ openapi: '3.1.0', schema }) as unknown as { schema: object }).schema;

  it('marks a value with a type as nullable', () => {
    assert.deepEqual(schemaOf({ type: ['string', 'null'], maxLength: 5 }), {
      type: 'string',
      nullable: true,
      maxLength: 5,
    });
  });

  it('marks a value with alternatives as nullable', () => {
    assert.deepEqual(schemaOf({ anyOf: [{ type: 'object' }, { type: 'null' }] }), {
      anyOf: [{ type: 'object' }],
      nullable: true,
    });
  });

  it('lists each of several types', () => {
    assert.deepEqual(schemaOf({ type: ['string', 'integer'] }), {
      anyOf: [{ type: 'string' }, { type: 'integer' }],
    });
    assert.deepEqual(schemaOf({ type: ['string', 'integer', 'null'] }), {
      anyOf: [{ type: 'string' }, { type: 'integer' }],
      nullable: true,
    });
  });

  it('shows the first example of a value', () => {
    assert.deepEqual(schemaOf({ type: 'string', examples: ['a', 'b'] }), { type: 'string', example: 'a' });
  });

  it('keeps everything else unchanged, even a property called type', () => {
    const schema = {
      type: 'object',
      properties: { type: { type: 'string', enum: ['a', null] }, list: { type: 'array', items: {} } },
      required: ['type'],
    };
    assert.deepEqual(schemaOf(schema), schema);
  });

  it('has its version', () => {
    assert.equal(asOpenApi30({ openapi: '3.1.0' }).openapi, '3.0.3');
  });
});
