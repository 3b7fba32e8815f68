import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSocketAddress, socketAddressOf } from './socket-address.ts';

describe('a socket address', () => {
  it('is a name or an IP address with a port', () => {
    assert.deepEqual(parseSocketAddress('127.0.0.1:4259'), { host: '127.0.0.1', port: 4259 });
    assert.deepEqual(parseSocketAddress('hlr-1.core.example:1'), { host: 'hlr-1.core.example', port: 1 });
    assert.deepEqual(parseSocketAddress('[2001:db8::1]:65535'), { host: '2001:db8::1', port: 65_535 });
  });

  it('is invalid without a port, with an impossible one, or with other text', () => {
    for (const text of ['', 'host', 'host:', ':80', 'host:0', 'host:65536', 'host:-1', '2001:db8::1:80'])
      assert.equal(parseSocketAddress(text), undefined, text);
    for (const text of ['http://host:80', 'host:80/path', 'host:80\n', 'a b:80', '[::1]'])
      assert.equal(parseSocketAddress(text), undefined, text);
    assert.throws(() => socketAddressOf('nowhere'), /"nowhere" is not an address/);
  });
});
