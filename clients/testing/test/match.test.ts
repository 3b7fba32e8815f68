import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeMatch, matches } from '../match.ts';

const callback = {
  service: 'CarrierService',
  payload: {
    requestId: 'r-1',
    status: 'Success',
    deviceIds: [
      { id: '990000000000011', kind: 'imei' },
      { id: '5550100001', kind: 'mdn' },
    ],
    comment: null,
  },
};

describe('a match', () => {
  it('is a part of what is looked for, at any depth', () => {
    assert.ok(matches({ payload: { status: 'Success' } }, callback));
    assert.ok(!matches({ payload: { status: 'Failed' } }, callback));
    assert.ok(matches({ service: 'CarrierService', payload: { comment: null } }, callback));
    assert.ok(!matches({ payload: { requestId: { id: 'r-1' } } } as never, callback));
    assert.ok(!matches({ payload: { missing: 'x' } } as never, callback));
  });

  it('names of a list what must be in it, in any order', () => {
    assert.ok(matches({ payload: { deviceIds: [{ kind: 'mdn' }] } }, callback));
    assert.ok(matches({ payload: { deviceIds: [{ kind: 'mdn' }, { id: /^99/ }] } }, callback));
    assert.ok(!matches({ payload: { deviceIds: [{ kind: 'mdn', id: '990000000000011' }] } }, callback));
    assert.ok(matches({ payload: { deviceIds: [] } }, callback));
  });

  it('may be a pattern for a text, also one that remembers where it was', () => {
    const sticky = /Carrier/g;
    assert.ok(matches({ service: sticky }, callback) && matches({ service: sticky }, callback));
    assert.ok(!matches({ payload: { comment: /x/ } } as never, callback));
  });

  it('may be a function, and without one everything fits', () => {
    assert.ok(matches(({ service }: typeof callback) => service.endsWith('Service'), callback));
    assert.ok(matches(undefined, callback));
  });

  it('is described as it was written, shortened', () => {
    assert.equal(describeMatch({ subject: /4 MB/ }), '{"subject":"/4 MB/"}');
    assert.equal(
      describeMatch(() => true),
      '() => true',
    );
    assert.equal(describeMatch({ text: 'x'.repeat(1_000) }).length, 201);
  });
});
