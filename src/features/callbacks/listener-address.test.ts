import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkListenerUrl } from './listener-address.ts';

describe('the address of a listener', () => {
  for (const url of [
    'http://hooks.example.com/a?b=c',
    'https://hooks.example.com.',
    'https://hooks.example.com:9006/',
    'http://203.0.113.9:50551/',
    'https://[2001:db8::1]:28220/x',
    'http://localhost:3000/hook',
    'http://127.0.0.1:1025/',
    'http://127.9:8080/',
    'http://[::1]:65535/',
    'http://[::ffff:127.0.0.1]:5000/',
    'https://bücher.example/',
  ]) {
    it(`can be ${url}`, () => assert.equal(checkListenerUrl(url), undefined));
  }

  for (const [url, why] of [
    ['ftp://hooks.example.com/', /http or https/],
    ['hooks.example.com', /http or https/],
    ['http://', /http or https/],
    ['http://256.1.1.1/', /http or https/],
    ['http://-bad.example/', /host/],
    ['http://a..example/', /host/],
    [`http://${'a'.repeat(64)}.example/`, /host/],
    ['http://user:pw@hooks.example.com/', /credentials/],
    ['http://hooks.example.com:8080/', /port/],
    ['http://hooks.example.com:9007/', /port/],
    ['http://localhost:22/', /port/],
    ['http://localhost.example.com:3000/', /port/],
    ['http://128.0.0.1:3000/', /port/],
  ] as const) {
    it(`cannot be ${url}`, () => assert.match(checkListenerUrl(url) ?? '', why));
  }
});
