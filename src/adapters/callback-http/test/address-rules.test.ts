import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AddressKind, addressKind, addressRules } from '../address-rules.ts';

const KINDS: Record<AddressKind, string[]> = {
  public: [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '168.63.129.15',
    '169.253.1.1',
    '223.255.255.254',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::ffff:10.1.2.3',
    'fc00::1',
    'fd12::1',
  ],
  linklocal: [
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '::ffff:169.254.169.254',
  ],
  never: [
    '0.0.0.0',
    '0.1.2.3',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::168.63.129.16',
    '100.64.0.1',
    '100.127.255.254',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::8.8.8.8',
    '64:ff9b:1:7f00:0:100::',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:a9fe:a9fe::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '4000::1',
    '5f00::1',
    'fec0::1',
    'ff02::1',
    '0x7f.1',
    '2130706433',
    '010.0.0.1',
    'localhost',
    '',
  ],
};

describe('address rules', () => {
  it('every address has the kind of its range', () => {
    for (const [kind, addresses] of Object.entries(KINDS))
      for (const address of addresses) assert.equal(addressKind(address), kind, address);
  });

  // proves callbacks/allowed-addresses
  it('a range is open only if it is public or the setting names it', () => {
    for (const allow of [[], ['loopback'], ['private'], ['linklocal']] as const) {
      const rules = addressRules(allow);
      for (const [kind, addresses] of Object.entries(KINDS))
        for (const address of addresses)
          assert.equal(
            rules.refusal(address, 443),
            kind === 'public' || kind === allow[0] ? undefined : 'address is not allowed',
            `${address} with ${allow}`,
          );
    }
  });

  // proves 6.2/rule-1 8/callback-ports
  it('the allowed ports are those of the interface, and above 1024 only for loopback, if it is open', () => {
    const listed = [80, 443, 9000, 9006, 28200, 28220, 50551, 50559];
    const others = [0, 22, 79, 81, 442, 1024, 8080, 8999, 9007, 28199, 28221, 50550, 50560, 65535];
    const closed = addressRules([]);
    const open = addressRules(['loopback', 'private']);
    for (const port of listed) {
      assert.equal(closed.refusal('8.8.8.8', port), undefined, String(port));
      assert.equal(closed.nameRefusal('hooks.example.com', port), undefined, String(port));
      assert.equal(open.refusal('127.0.0.1', port), undefined, String(port));
    }
    for (const port of others) {
      const onLoopback = port > 1024 ? undefined : 'port is not allowed';
      assert.equal(closed.refusal('8.8.8.8', port), 'port is not allowed', String(port));
      assert.equal(closed.nameRefusal('hooks.example.com', port), 'port is not allowed', String(port));
      assert.equal(open.refusal('8.8.8.8', port), 'port is not allowed', String(port));
      assert.equal(open.refusal('10.0.0.1', port), 'port is not allowed', String(port));
      assert.equal(open.refusal('::1', port), onLoopback, String(port));
      assert.equal(open.nameRefusal('hooks.example.com', port), onLoopback, String(port));
    }
  });
});
