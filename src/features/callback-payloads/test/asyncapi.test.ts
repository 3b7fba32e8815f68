import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { describeCallbacks } from '../asyncapi.ts';
import { payloadText, withAttempt } from '../envelope.ts';
import { EVENT_NAMES, EVENTS } from '../events.ts';
import { LISTENER_SERVICES } from '../service-names.ts';

interface Document {
  readonly asyncapi: string;
  readonly info: { readonly version: string };
  readonly channels: Record<string, { readonly messages: Record<string, object> }>;
  readonly operations: Record<string, { readonly action: string; readonly messages: readonly object[] }>;
  readonly components: {
    readonly messages: Record<string, { readonly examples: readonly { readonly payload: object }[] }>;
    readonly schemas: Record<string, object>;
  };
}

const document = describeCallbacks({ version: '1.2.3' }) as Document;
const ajv = new Ajv({ strict: true });

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [member as string] : references(member),
  );
}

const find = (reference: string) =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);

describe('the AsyncAPI document', () => {
  it('has a channel with messages, and an operation, for every service', () => {
    assert.deepEqual([document.asyncapi, document.info.version], ['3.0.0', '1.2.3']);
    assert.deepEqual(Object.keys(document.channels), [...LISTENER_SERVICES]);
    for (const { messages } of Object.values(document.channels)) assert.ok(Object.keys(messages).length > 0);
    assert.equal(Object.keys(document.operations).length, LISTENER_SERVICES.length);
    assert.ok(Object.keys(document.channels['CarrierService']!.messages).includes('failure'));
    assert.ok(!Object.keys(document.channels['AlertService']!.messages).includes('failure'));
  });

  it('has no broken references', () => {
    const all = references(document);
    assert.ok(all.length > 100);
    assert.deepEqual(
      all.filter((reference) => find(reference) === undefined),
      [],
    );
  });

  it('describes bodies as they are sent, and has valid examples', () => {
    const attempt = { username: 'u', password: 'p', callbackCount: 4, maxCallbackThreshold: 4 };
    for (const [name, { examples }] of Object.entries(document.components.messages)) {
      const validate = ajv.compile(document.components.schemas[name]!);
      assert.ok(validate(examples[0]!.payload), `${name}: ${JSON.stringify(validate.errors)}`);
    }
    for (const name of EVENT_NAMES) {
      const validate = ajv.compile(document.components.schemas[name]!);
      assert.ok(validate(JSON.parse(withAttempt(payloadText(EVENTS[name].sample), attempt))), name);
      assert.ok(!validate(EVENTS[name].sample), name);
    }
  });

  it('is the same every time', () =>
    assert.deepEqual(describeCallbacks({ version: '1.2.3' }), describeCallbacks({ version: '1.2.3' })));
});
