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
    'a position object': [{ position: { a: 1.5 } }, '1.5'],
    'coordinates in a sentence': ['at 32.92345, -97.12345', '32.92345'],
  };
  for (const [name, [value, secret]] of Object.entries(secrets)) {
    it(`never shows ${name}`, () => {
      const text = logged((log) => (typeof value === 'string' ? log.info(value) : log.info(value, 'event')));
      assert.ok(text.includes('[redacted]'), text);
      assert.ok(!text.includes(secret), text);
    });
  }

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
      status: 200,
    };
    const text = logged((log) => log.info(fields, 'answered'));
    const line = JSON.parse(text);
    assert.deepEqual([line.accountName, line.requestId, line.status], Object.values(fields));
    assert.match(line.time, /^\d{4}-\d{2}-\d{2}T/);
  });
});
