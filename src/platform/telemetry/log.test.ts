import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  const secrets: Record<string, [object | string, string]> = {
    'a password, however deep': [{ body: { user: { password: 'hunter2"x' } } }, 'hunter2'],
    'a session token': [{ sessionToken: 'b7a1-secret' }, 'b7a1-secret'],
    'a bearer token in a sentence': ['refused Bearer abc.def-123 again', 'abc.def-123'],
    'a client secret': [{ clientSecret: 's3cret' }, 's3cret'],
    'a webhook secret': ['gave whsec_abc123== to it', 'abc123'],
    'a phone number in a sentence': ['no device with 5551234567', '5551234567'],
    'a phone number in a field': [{ mdn: '5551234567' }, '5551234567'],
    'an IMEI': ['device 356938035643809 unknown', '356938035643809'],
    'coordinates in fields': [{ fix: { lat: 32.92345, lon: -97.1 } }, '32.92345'],
    'a position object': [{ position: { a: 41.7325 } }, '41.7325'],
    'coordinates in a sentence': ['at 32.92345, -97.12345', '32.92345'],
    'a phone number as a number': [{ number: 5551234567 }, '5551234567'],
    'a phone number as a number in text': ['body {"number":5551234567}', '5551234567'],
    'a telephone address': ['to tel:5551234567', '5551234567'],
    'an IMEI with its kind': ['imei:356938035643809 is unknown', '356938035643809'],
    'a phone number with dashes': ['no device with 555-123-4567', '123-4567'],
    'a phone number with brackets': ['calls +1 (555) 123-4567 now', '123-4567'],
    'a phone number with spaces': [{ phoneNumber: '555 123 4567' }, '123 4567'],
    'a phone number with spaces in text': ['"phoneNumber":"555 123 4567"', '123 4567'],
    'a position as GeoJSON': [{ at: [-97.15, 32.91] }, '97.15'],
    'a position as GeoJSON in text': ['at [-97.15,32.91]', '97.15'],
    'a tiny coordinate': [{ fix: { lat: 1.5e-7 } }, '1.5e-7'],
    'a tiny coordinate in text': ['"lat":1.5e-7', '1.5e-7'],
    'a password in a body as text': ['{"password":"hun\\"ter2"}', 'ter2'],
    'a password in a body as text in text': [String.raw`{"body":"{\"password\":\"hunter2\"}"}`, 'hunter2'],
    'a password in a body that was cut off': ['{"password":"hunter2', 'hunter2'],
    'a secret in a form': ['client_id=a&client_secret=abc123&x=1', 'abc123'],
    'the password of a database': ['no answer from postgres://u:pw77@db:5432/x', 'pw77'],
    'a member auth': [{ auth: 'hunter2' }, 'hunter2'],
    'a member with the word pwd': [{ userPwd: 'hunter2' }, 'hunter2'],
    'a pin in text': ['"pin":"4711"', '4711'],
    'the user of an address': ['no answer from https:/u:pw77@host/x', 'pw77'],
    'the user of an address in a path': ['no route /x/http%3A%2F%2Fu%3Apw77%40host/y', 'pw77'],
    'the query of an address in a path': [
      'no route /x/https%253A%252F%252Fhost%252Fx%253Fkey%253Dpw77',
      'pw77',
    ],
    'the query of an address': ['no answer from http://host/x?key=pw77', 'pw77'],
    'an object under a secret name': [{ oldPassword: { a: { b: 'hunter2' } } }, 'hunter2'],
    'an object under a secret name in text': ['{"oldPassword":{"a":{"b":"hunter2"}}}', 'hunter2'],
    'a cookie of several parts': ['Cookie: a=1; sid=hunter2', 'hunter2'],
    'a phone number as a key': [{ devices: { 5551234567: 'on' } }, '5551234567'],
  };
  for (const [name, [value, secret]] of Object.entries(secrets)) {
    it(`never shows ${name}`, () => {
      const text = logged((log) => (typeof value === 'string' ? log.info(value) : log.info(value, 'event')));
      assert.ok(text.includes('[redacted]'), text);
      assert.ok(!text.includes(secret), text);
      assert.doesNotThrow(() => JSON.parse(text), text);
    });
  }

  it('never shows secrets in the fields of a child logger or in the message of an error', () => {
    const error = new Error('password=hunter2 was refused');
    const text = logged((log) => log.child({ token: 'abc123', mdn: 1 }).error({ err: error }, 'failed'));
    assert.ok(!/hunter2|abc123/.test(text), text);
    assert.equal(JSON.parse(text).err.type, 'Error');
  });

  it('never shows the values that a database error quotes', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (value)=(abc) exists',
    });
    const text = logged((log) => log.error({ err: error }, 'failed'));
    assert.ok(text.includes('23505') && !text.includes('Key (value)'), text);
  });

  it('keeps account names, request ids and times readable', () => {
    const fields = {
      accountName: '0000123456-00001',
      requestId: '0b8f1d57-1111-4222-8333-123456789012',
      dueAt: '2026-01-05T00:00:00.000Z',
      status: 200,
      port: 54321,
      durationMs: 1234.5678901234567,
      offsetMs: 31_536_000_000,
      place: 'at run (file:///srv/linekeeper/src/platform/log.ts:120:45)',
      address: '127.0.0.1:54321',
    };
    const said = `0000123456-00001 waited 12.345678901234 ms until 2026-01-05T00:00:00+00:00 for ${fields.requestId}`;
    const line = JSON.parse(logged((log) => log.info(fields, said)));
    for (const [key, value] of Object.entries(fields)) assert.equal(line[key], value);
    assert.equal(line.msg, said);
    assert.match(line.time, /^\d{4}-\d{2}-\d{2}T/);
  });
});
