import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { SpecialRange } from '../address-rules.ts';
import { createCallbackHttp } from '../index.ts';

const checkerFor = (...allow: SpecialRange[]) => {
  const { checkAddressText, checkAddress, close } = createCallbackHttp({
    allow,
    resolve: async () => ['127.0.0.1'],
  });
  after(close);
  return { checkAddressText, checkAddress };
};
const closed = checkerFor();
const open = checkerFor('loopback');

const ANYWHERE = [
  'http://hooks.example.com/a?b=c',
  'https://hooks.example.com.',
  'https://hooks.example.com:9006/',
  'http://8.8.8.8:50551/',
  'https://[2606:4700:4700::1111]:28220/x',
  'http://my_container:9000/',
  'https://bücher.example/',
];
const LOOPBACK = [
  'http://localhost:3000/hook',
  'http://localhost./',
  'http://a.b.localhost:3000/',
  'http://127.0.0.1:1025/',
  'http://127.9:8080/',
  'http://[::1]:65535/',
  'http://[::ffff:127.0.0.1]:5000/',
];
const NOWHERE = {
  'ftp://hooks.example.com/': 'address is not valid',
  'hooks.example.com': 'address is not valid',
  'http://': 'address is not valid',
  'http://256.1.1.1/': 'address is not valid',
  'http://-bad.example/': 'address is not valid',
  'http://a..example/': 'address is not valid',
  [`http://${'a'.repeat(64)}.example/`]: 'address is not valid',
  [`http://${'a.'.repeat(127)}example/`]: 'address is not valid',
  [`http://hooks.example.com/${'x'.repeat(2_000)}`]: 'address is too long',
  'http://user:pw@hooks.example.com/': 'address carries credentials',
  'http://hooks.example.com:81/': 'port is not allowed',
  'http://10.0.0.1/': 'address is not allowed',
  'http://169.254.169.254/': 'address is not allowed',
  'http://203.0.113.9/': 'address is not allowed',
  'http://8.8.8.8:3000/': 'port is not allowed',
} as const;

describe("the text of a listener's address", () => {
  it('may name any public host, on the ports of the interface', () => {
    for (const url of ANYWHERE) {
      assert.equal(closed.checkAddressText(url), undefined, url);
      assert.equal(open.checkAddressText(url), undefined, url);
    }
  });

  // proves 6.2/rule-6
  it('may name this machine, with ports above 1024, only if the setting allows it', () => {
    for (const url of LOOPBACK) {
      assert.equal(closed.checkAddressText(url), 'address is not allowed', url);
      assert.equal(open.checkAddressText(url), undefined, url);
    }
    assert.equal(open.checkAddressText('http://localhost:22/'), 'port is not allowed');
    assert.equal(open.checkAddressText('http://a.localhost:1024/'), 'port is not allowed');
  });

  it('may combine a name with a port above 1024 only if the name may turn out to be this machine', () => {
    const url = 'http://localhost.example.com:3000/';
    assert.equal(closed.checkAddressText(url), 'port is not allowed');
    assert.equal(open.checkAddressText(url), undefined);
  });

  it('is refused for reasons that no setting changes', () => {
    for (const [url, reason] of Object.entries(NOWHERE)) {
      assert.equal(closed.checkAddressText(url), reason, url);
      assert.equal(open.checkAddressText(url), reason, url);
    }
  });

  it('is refused at registration for the same reason', async () => {
    for (const { checkAddressText, checkAddress } of [closed, open])
      for (const url of [...LOOPBACK, ...Object.keys(NOWHERE)]) {
        const reason = checkAddressText(url);
        if (reason !== undefined) assert.equal(await checkAddress(url), reason, url);
      }
  });
});
