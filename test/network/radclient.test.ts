import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readRequest, writeResponse } from '../../src/adapters/radius/authenticators.ts';
import {
  type Attribute,
  attribute,
  CODES,
  type CodeName,
  type Packet,
  readAttribute,
} from '../../src/adapters/radius/packet.ts';
import { isInstalled } from './support/peer-process.ts';

const run = promisify(execFile);
const SECRET = 'testing123';
const skip = isInstalled('radclient') ? false : 'radclient is not installed';

const ANSWERS: Readonly<Record<number, CodeName>> = {
  [CODES['Accounting-Request']]: 'Accounting-Response',
  [CODES['Disconnect-Request']]: 'Disconnect-NAK',
  [CODES['CoA-Request']]: 'CoA-ACK',
  // On the accounting port; on another port it would be an Access-Accept.
  [CODES['Status-Server']]: 'Accounting-Response',
};

describe("requests of somebody else's client", { skip }, () => {
  const socket = createSocket('udp4');
  const packets: Packet[] = [];
  before(async () => {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    socket.on('message', (octets, { port, address }) => {
      let request: Packet;
      try {
        request = readRequest(octets, SECRET);
      } catch {
        return;
      }
      packets.push(request);
      const { code, identifier, authenticator } = request;
      const attributes: Attribute[] =
        code === CODES['Disconnect-Request'] ? [attribute('Error-Cause', 503)] : [];
      const draft = { code: ANSWERS[code]!, identifier, attributes, secret: SECRET };
      socket.send(writeResponse(draft, authenticator), port, address);
    });
  });
  after(() => void socket.close());

  async function radclient(command: string, attributes: string, secret = SECRET): Promise<string> {
    const args = ['-x', '-r', '2', '-t', '5', `127.0.0.1:${socket.address().port}`, command, secret];
    const running = run('radclient', args);
    running.child.stdin?.end(attributes);
    const { stdout, stderr } = await running.catch((error) => error as { stdout: string; stderr: string });
    return stdout + stderr;
  }

  it('are read by their names, and the answers are taken', async () => {
    const said = await radclient(
      'acct',
      [
        'Acct-Status-Type = Interim-Update',
        'Acct-Session-Id = "0A42"',
        'User-Name = "meter-7"',
        'NAS-IP-Address = 192.0.2.9',
        'Framed-IP-Address = 10.9.8.7',
        'Called-Station-Id = "iot.apn"',
        'Calling-Station-Id = "15551230001"',
        'Acct-Input-Octets = 4294967295',
        'Acct-Input-Gigawords = 3',
        'Acct-Session-Time = 900',
        'Event-Timestamp = 1794916800',
        'Class = 0x0102ff',
        '3GPP-IMSI = "001010000000001"',
        '3GPP-Charging-ID = 77',
        '3GPP-IMEISV = "3534567890123401"',
        '3GPP-RAT-Type = EUTRAN',
        '3GPP-SGSN-Address = 198.51.100.4',
        '3GPP-User-Location-Info = 0x8200f110000100f11000000101',
        'Message-Authenticator = 0x00',
      ].join('\n'),
    );
    assert.match(said, /Received Accounting-Response/);
    const packet = packets.at(-1)!;
    const read = (name: Parameters<typeof readAttribute>[1]) => readAttribute(packet, name);
    assert.equal(read('Acct-Status-Type'), 3);
    assert.equal(read('Acct-Session-Id'), '0A42');
    assert.equal(read('User-Name'), 'meter-7');
    assert.equal(read('NAS-IP-Address'), '192.0.2.9');
    assert.equal(read('Framed-IP-Address'), '10.9.8.7');
    assert.equal(read('Called-Station-Id'), 'iot.apn');
    assert.equal(read('Acct-Input-Octets'), 4_294_967_295);
    assert.equal(read('Acct-Input-Gigawords'), 3);
    assert.equal(read('Acct-Session-Time'), 900);
    assert.deepEqual(read('Event-Timestamp'), new Date(1_794_916_800_000));
    assert.deepEqual(read('Class'), Buffer.from('0102ff', 'hex'));
    assert.equal(read('3GPP-IMSI'), '001010000000001');
    assert.equal(read('3GPP-Charging-ID'), 77);
    assert.equal(read('3GPP-IMEISV'), '3534567890123401');
    assert.equal(read('3GPP-RAT-Type'), 6);
    assert.equal(read('3GPP-SGSN-Address'), '198.51.100.4');
    assert.equal((read('3GPP-User-Location-Info') as Buffer).toString('hex'), '8200f110000100f11000000101');
  });

  it('to cut and to change sessions are answered so that it understands', async () => {
    assert.match(
      await radclient('disconnect', 'Acct-Session-Id = "1"'),
      /Error-Cause = Session-Context-Not-Found/,
    );
    assert.match(await radclient('coa', 'Acct-Session-Id = "1"\nFilter-Id = "P"'), /Received CoA-ACK/);
    assert.equal(readAttribute(packets.at(-1)!, 'Filter-Id'), 'P');
  });

  it('whether somebody is there are answered, and those with another secret are not', async () => {
    assert.match(await radclient('status', 'Message-Authenticator = 0x00'), /Received Accounting-Response/);
    const count = packets.length;
    const args = ['-r', '1', '-t', '1', `127.0.0.1:${socket.address().port}`, 'acct', 'wrong'];
    const running = run('radclient', args);
    running.child.stdin?.end('Acct-Session-Id = "1"');
    await assert.rejects(running);
    assert.equal(packets.length, count);
  });
});
