import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ANSWER_HEADERS_KEPT_BYTES } from '../../../features/callbacks/index.ts';
import { keptHeaders } from '../answer-headers.ts';
import { makeHttp, post, tcpListener } from './listener.ts';

const headOf = (lines: readonly string[]) => ['HTTP/1.1 500 No', ...lines].join('\r\n');

describe('the headers of an answer', () => {
  it('are kept unchanged for an answer without success, and not for a success', async (t) => {
    let status = 0;
    const { url } = await tcpListener(t, (socket) => {
      socket.on('data', () =>
        socket.write(
          `HTTP/1.1 ${status} Word\r\nContent-Length: 0\r\nRetry-After:  120\t\r\nx-why: caf\xc3\xa9\r\n\r\n`,
          'latin1',
        ),
      );
    });
    const http = makeHttp(t);
    for (status of [300, 302, 404, 500, 503]) {
      const { answerHeaders } = await http.send(post(url));
      assert.equal(answerHeaders, 'Content-Length: 0\nRetry-After: 120\nx-why: café');
    }
    for (status of [200, 204]) assert.equal('answerHeaders' in (await http.send(post(url))), false);
  });

  it('that grant access are hidden, whatever the case of their names', () => {
    const secrets = [
      'Set-Cookie: a=s3cret',
      'SET-COOKIE2: s3cret',
      'authorization: Bearer s3cret',
      'X-Auth-Token: s3cret',
      'x-api-key: s3cret',
      'X_Api_Key: s3cret',
      'x-session-id: s3cret',
      'X-CSRF: s3cret',
      'Authentication-Info: s3cret',
      'Location: https://login.example/in?code=s3cret#s3cret',
    ];
    const kept = keptHeaders(headOf([...secrets, 'WWW-Authenticate: Bearer error="expired"', 'server: x']));
    assert.doesNotMatch(kept, /s3cret/);
    assert.match(kept, /^Set-Cookie: \(hidden\)$/m);
    assert.match(kept, /^Location: https:\/\/login\.example\/in\?\(hidden\)$/m);
    assert.match(kept, /^WWW-Authenticate: Bearer error="expired"\nserver: x$/m);
  });

  it('are at most 2 KiB of storable and printable text, whatever bytes arrive', () => {
    const byte = fc.integer({ min: 0, max: 255 }).filter((code) => code !== 10 && code !== 13);
    const value = fc.array(byte, { maxLength: 3_000 }).map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        const kept = keptHeaders(headOf(values.map((text, n) => `x-${n}: ${text}`)));
        assert.ok(Buffer.byteLength(kept) <= ANSWER_HEADERS_KEPT_BYTES);
        assert.doesNotMatch(kept, /[^\P{Cc}\n\t]/u);
        assert.ok(kept.split('\n').length <= Math.max(1, values.length));
      }),
    );
    const long = keptHeaders(headOf([`x-long: ${'y'.repeat(5_000)}`]));
    assert.equal(long.length, ANSWER_HEADERS_KEPT_BYTES);
  });
});
