import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { failed, MAX_CALLBACK_THRESHOLD, payloadText, succeeded, withAttempt } from '../envelope.ts';
import { toSlashDate } from '../shapes.ts';

const REQUEST = { requestId: 'r-1', deviceIds: [{ id: '353238063280152', kind: 'imei' }] };
const OWN = ['username', 'password', 'callbackCount', 'maxCallbackThreshold'];

const anyPayload = fc.dictionary(
  fc.oneof(anyText(), fc.constantFrom(...OWN, '__proto__', 'toJSON', '{', '}')),
  fc.jsonValue(),
  { noNullPrototype: true },
);
const anyCredential = fc.option(anyText({ maxLength: 40 }), { nil: undefined });
const anyAttempt = fc.record({
  username: anyCredential,
  password: anyCredential,
  callbackCount: fc.integer({ min: 1, max: MAX_CALLBACK_THRESHOLD }),
  maxCallbackThreshold: fc.constant(MAX_CALLBACK_THRESHOLD),
});

/** The result that withAttempt must equal, computed the slow way. */
function merged(text: string, attempt: Parameters<typeof withAttempt>[1]): object {
  const { username, password, ...counts } = attempt;
  const credentials = { ...(username && { username }), ...(password && { password }) };
  return { ...credentials, ...(JSON.parse(text) as object), ...counts };
}

describe('withAttempt', () => {
  it('equals parsing, merging and serialising, including the order of members', () => {
    fc.assert(
      fc.property(anyPayload, anyAttempt, (payload, attempt) => {
        const text = payloadText(payload);
        const body = withAttempt(text, attempt);
        const slow = merged(text, attempt);
        assert.deepEqual(JSON.parse(body), slow);
        assert.equal(JSON.stringify(JSON.parse(body)), JSON.stringify(slow));
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts the white space of other JSON writers', () => {
    const attempt = { username: 'u"\u2028', password: '', callbackCount: 2, maxCallbackThreshold: 4 };
    for (const text of ['{}', '{ }', '{\n}', '{ "a": {} }', '{"a": [1, "}"]}'])
      assert.deepEqual(JSON.parse(withAttempt(text, attempt)), merged(text, attempt));
  });

  // proves 6.2/rule-3 callbacks/unset-credentials
  it('omits unset credentials and keeps the order of the interface', () => {
    const text = payloadText(succeeded(REQUEST, { restoreResponse: { restored: true } }));
    const counts = { callbackCount: 1, maxCallbackThreshold: 4 };
    const names = (attempt: object) => Object.keys(JSON.parse(withAttempt(text, { ...counts, ...attempt })));
    const own = [
      'requestId',
      'deviceIds',
      'deviceResponse',
      'status',
      'callbackCount',
      'maxCallbackThreshold',
    ];
    assert.deepEqual(names({ username: 'u', password: 'p' }), ['username', 'password', ...own]);
    assert.deepEqual(names({ username: null, password: 'p' }), ['password', ...own]);
    for (const unset of [{}, { username: null, password: null }, { username: '', password: undefined }])
      assert.deepEqual(names(unset), own);
  });

  it('refuses text that is not an object', () => {
    const attempt = { callbackCount: 1, maxCallbackThreshold: 4 };
    for (const text of ['', '{', '}', '[]', '"{}"', 'null', ' {}', '{} '])
      assert.throws(() => withAttempt(text, attempt), TypeError);
    assert.throws(() => payloadText([]), TypeError);
  });
});

describe('the failure form', () => {
  const fault = { faultcode: 'REQUEST_FAILED.DeviceNotFound', faultstring: 'There is no such device.' };

  // proves callbacks/failures
  it('has a fault instead of the result, and its text in the comment', () => {
    assert.deepEqual(failed(REQUEST, fault), {
      ...REQUEST,
      faultResponse: fault,
      status: 'Failed',
      comment: 'There is no such device.',
    });
  });

  it('has actor, detail and summary if given, and no devices if none were named', () => {
    const whole = { ...fault, faultactor: 'network', detail: 'unknown IMEI' };
    const summary = { devicesRequested: 3 };
    assert.deepEqual(failed({ requestId: 'r-1', summary }, whole), {
      requestId: 'r-1',
      faultResponse: whole,
      status: 'Failed',
      comment: fault.faultstring,
      summary,
    });
  });
});

describe('toSlashDate', () => {
  it('is the day in the account’s time zone', () => {
    const moment = new Date('2026-01-01T03:00:00Z');
    assert.equal(toSlashDate(moment), '01/01/2026');
    assert.equal(toSlashDate(moment, 'America/Chicago'), '12/31/2025');
    assert.equal(toSlashDate(moment, 'America/Chicago'), '12/31/2025');
  });
});
