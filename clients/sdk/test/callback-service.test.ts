import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { serviceOf } from '../callbacks.ts';

interface Document {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly examples: readonly { payload: Record<string, unknown> }[] }>
    >;
  };
}
const { channels, components } = JSON.parse(readFileSync('asyncapi.json', 'utf8')) as Document;
/** The failure of a device, which is the same for all services. */
const FAILURE = 'failure';

describe('serviceOf', () => {
  it('tells the service of every message that is not the same for all of them', () => {
    let seen = 0;
    for (const [service, { messages }] of Object.entries(channels))
      for (const name of Object.keys(messages)) {
        const payload = components.messages[name]!.examples[0]!.payload;
        assert.equal(serviceOf(payload), name === FAILURE ? undefined : service, name);
        seen++;
      }
    assert.ok(seen > 30);
  });

  it('tells nothing of what was sent by hand', () => assert.equal(serviceOf({ any: 'thing' }), undefined));
});
