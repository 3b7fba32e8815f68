import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  readRequest,
  readResponse,
  writeRequest,
  writeResponse,
  writeStatusServer,
} from '../authenticators.ts';
import {
  type Attribute,
  attribute,
  BadPacket,
  CODES,
  decodePacket,
  encodePacket,
  readAttribute,
} from '../packet.ts';

const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
const plain = fc.record({
  type: fc.integer({ min: 1, max: 255 }).filter((type) => type !== 26 && type !== 80),
  value: octets(253),
});
const vendors = fc.record({
  type: fc.integer({ min: 1, max: 255 }),
  vendor: fc.nat({ max: 0xffffffff }),
  value: octets(247),
});
const attributes: fc.Arbitrary<Attribute[]> = fc.array(fc.oneof(plain, vendors), { maxLength: 12 });
const secret = fc.string({ minLength: 1, maxLength: 64 });
const identifier = fc.nat({ max: 255 });

/** The attributes as text, independent of missing or undefined keys. */
const shown = (list: readonly Attribute[]) =>
  list.map(({ type, vendor, value }) => `${vendor ?? ''}/${type}=${value.toString('hex')}`);

describe('a RADIUS packet', () => {
  it('is read with the attributes that were written, including those of vendors', () =>
    fc.assert(
      fc.property(identifier, attributes, (id, list) => {
        const authenticator = Buffer.alloc(16, id);
        const packet = decodePacket(
          encodePacket({ code: 4, identifier: id, authenticator, attributes: list }),
        );
        assert.deepEqual([packet.code, packet.identifier], [4, id]);
        assert.deepEqual(packet.authenticator, authenticator);
        assert.deepEqual(shown(packet.attributes), shown(list));
      }),
    ));

  it('keeps its values by name', () => {
    const at = new Date('2026-11-17T12:00:00Z');
    const list = [
      attribute('User-Name', 'größe'),
      attribute('NAS-IP-Address', '192.0.2.7'),
      attribute('Acct-Output-Octets', 0xffffffff),
      attribute('Event-Timestamp', at),
      attribute('3GPP-IMSI', '001010000000001'),
      attribute('3GPP-RAT-Type', 6),
      attribute('3GPP-User-Location-Info', Buffer.from('8200f110', 'hex')),
    ];
    const packet = decodePacket(
      encodePacket({ code: 4, identifier: 0, authenticator: Buffer.alloc(16), attributes: list }),
    );
    assert.equal(readAttribute(packet, 'User-Name'), 'größe');
    assert.equal(readAttribute(packet, 'NAS-IP-Address'), '192.0.2.7');
    assert.equal(readAttribute(packet, 'Acct-Output-Octets'), 0xffffffff);
    assert.deepEqual(readAttribute(packet, 'Event-Timestamp'), at);
    assert.equal(readAttribute(packet, '3GPP-IMSI'), '001010000000001');
    assert.equal(readAttribute(packet, '3GPP-RAT-Type'), 6);
    assert.equal(readAttribute(packet, '3GPP-User-Location-Info')?.toString('hex'), '8200f110');
    assert.equal(readAttribute(packet, 'Acct-Session-Id'), undefined);
    assert.equal(
      readAttribute({ attributes: [{ type: 42, value: Buffer.alloc(3) }] }, 'Acct-Input-Octets'),
      undefined,
    );
  });

  it('accepts attributes up to its size limit, and refuses more before it is sent', () => {
    assert.throws(() => attribute('User-Name', 'x'.repeat(254)), RangeError);
    assert.throws(() => attribute('Acct-Session-Time', 2 ** 32), RangeError);
    assert.throws(() => attribute('Acct-Session-Time', -1), RangeError);
    assert.throws(() => attribute('NAS-IP-Address', '1.2.3'), RangeError);
    const many = Array.from({ length: 17 }, () => attribute('Class', Buffer.alloc(253)));
    assert.throws(
      () => encodePacket({ code: 4, identifier: 0, authenticator: Buffer.alloc(16), attributes: many }),
      RangeError,
    );
  });

  it('does no harm when it is read, whatever it contains', () =>
    fc.assert(
      fc.property(octets(200), fc.boolean(), (bytes, hasLength) => {
        if (hasLength && bytes.length >= 4) bytes.writeUInt16BE(bytes.length, 2);
        for (const read of [
          () => decodePacket(bytes),
          () => readRequest(bytes, 'secret'),
          () => readResponse(bytes, Buffer.alloc(16), 'secret'),
        ])
          try {
            read();
          } catch (error) {
            assert.ok(error instanceof BadPacket, String(error));
          }
      }),
      { numRuns: 2_000 },
    ));
});

describe('the authenticators of a packet', () => {
  it('are exactly those of RFC 2866, 5176 and 3579', () =>
    fc.assert(
      fc.property(identifier, attributes, secret, (id, list, key) => {
        const packet = writeRequest({
          code: 'Disconnect-Request',
          identifier: id,
          attributes: list,
          secret: key,
        });
        const [zeroed, unsigned] = [Buffer.from(packet), Buffer.from(packet)];
        zeroed.fill(0, 4, 20);
        assert.deepEqual(packet.subarray(4, 20), createHash('md5').update(zeroed).update(key).digest());
        unsigned.fill(0, 4, 20).fill(0, 22, 38);
        assert.deepEqual(packet.subarray(20, 22), Buffer.from([80, 18]));
        assert.deepEqual(packet.subarray(22, 38), createHmac('md5', key).update(unsigned).digest());
      }),
    ));

  it('accept requests and answers, but none that was changed or signed with another secret', () =>
    fc.assert(
      fc.property(identifier, attributes, secret, fc.nat(), (id, list, key, where) => {
        const request = writeRequest({ code: 'CoA-Request', identifier: id, attributes: list, secret: key });
        const own = request.subarray(4, 20);
        const answer = writeResponse({ code: 'CoA-NAK', identifier: id, attributes: list, secret: key }, own);
        assert.deepEqual(shown(readRequest(request, key).attributes.slice(1)), shown(list));
        assert.equal(readResponse(answer, own, key).code, CODES['CoA-NAK']);
        assert.throws(() => readRequest(request, `${key}.`), BadPacket);
        assert.throws(() => readResponse(answer, Buffer.alloc(16, 7), key), BadPacket);
        const changed = Buffer.from(answer);
        changed[where % changed.length]! ^= 1;
        assert.throws(() => readResponse(changed, own, key), BadPacket);
      }),
    ));

  it('of a Status-Server request require the Message-Authenticator', () => {
    const authenticator = Buffer.alloc(16, 9);
    const packet = writeStatusServer({ identifier: 1, attributes: [], secret: 's' }, authenticator);
    assert.equal(readRequest(packet, 's').code, CODES['Status-Server']);
    assert.throws(() => readRequest(packet, 't'), /Message-Authenticator is wrong/);
    const bare = encodePacket({ code: 12, identifier: 1, authenticator, attributes: [] });
    assert.throws(() => readRequest(bare, 's'), /no Message-Authenticator/);
  });
});
