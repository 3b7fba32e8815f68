import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setFeedPaused } from '../../src/features/network-feeds/index.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { freeUdpPort } from './support/addresses.ts';
import { imsiOf, msisdnOf } from './support/lines.ts';
import { isInstalled } from './support/peer-process.ts';
import { packetOf, SECRET, sendAccounting } from './support/radclient.ts';

const skip = isInstalled('radclient') ? false : 'radclient is not installed';
const LINES = 40;

const secretKey = generateSecretKey();
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-radius-'));
const file = join(folder, 'network.json');
const world = await makeWorld({ secretKey });
await world.import({
  ...SMALL_FLEET,
  devices: Array.from({ length: LINES }, (_, n) => ({
    accountName: n % 2 === 0 ? ACCOUNT : STRANGER,
    imei: `9900000002${String(n).padStart(5, '0')}`,
    imsi: imsiOf(n),
    msisdn: msisdnOf(n),
  })),
});
const address = `127.0.0.1:${await freeUdpPort('127.0.0.1')}`;
const radius = { listen: address, clients: [{ address: '127.0.0.1/32', secret: SECRET }] };
writeFileSync(file, JSON.stringify({ feeds: { radius } }));
const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'worker', LINEKEEPER_NETWORK: file });
after(() => rmSync(folder, { recursive: true, force: true }));
const nowS = Math.floor(Date.now() / 1_000);

describe("accounting by somebody else's client", { skip }, () => {
  const packet = (n: number, minute: number, more: Readonly<Record<string, string | number>> = {}) =>
    packetOf({
      'Acct-Status-Type': 'Interim-Update',
      'NAS-Identifier': '"gw-1"',
      'Acct-Session-Id': `"S${n}"`,
      '3GPP-IMSI': `"${imsiOf(n)}"`,
      'Called-Station-Id': '"iot.apn"',
      'Event-Timestamp': nowS - 7_200 + minute * 60,
      ...more,
    });
  const total = async (): Promise<number> =>
    (
      await world.ctx.db.one<{ bytes: number }>(
        sql`select coalesce(sum(bytes), 0)::float8 as bytes from usage_record`,
      )
    ).bytes;
  const sessions = async (n: number) =>
    (await world.operator('GET', `/sessions?kind=imsi&device=${imsiOf(n)}`)).json();

  it('is counted with gigawords, known with its attributes, and answered once it is kept', async () => {
    await crew.have(1);
    const { code, output } = await sendAccounting(address, [
      packet(0, 1, {
        'Acct-Status-Type': 'Start',
        '3GPP-RAT-Type': 'EUTRAN',
        '3GPP-SGSN-MCC-MNC': '"310410"',
        '3GPP-IMEISV': '"3534567890123401"',
        '3GPP-SGSN-Address': '198.51.100.4',
        '3GPP-User-Location-Info': '0x8200f110000100f11000000101',
        'Framed-IP-Address': '10.9.8.7',
      }),
    ]);
    assert.equal(code, 0, output);
    const counted = packet(0, 2, {
      'Acct-Input-Octets': 5,
      'Acct-Input-Gigawords': 1,
      'Acct-Output-Octets': 7,
    });
    assert.equal((await sendAccounting(address, [counted])).code, 0);
    assert.equal(await total(), 2 ** 32 + 12);
    const [session] = await sessions(0);
    assert.deepEqual(
      [session.state, session.rat, session.countryCode, session.cell, session.ipAddress, session.otherDevice],
      ['open', 'E-UTRAN', 'USA', '001-01-1-257', '10.9.8.7', true],
    );
    const end = packet(0, 3, {
      'Acct-Status-Type': 'Stop',
      'Acct-Input-Octets': 6,
      'Acct-Input-Gigawords': 1,
      'Acct-Output-Octets': 7,
      'Acct-Terminate-Cause': 'Idle-Timeout',
    });
    assert.equal((await sendAccounting(address, [end, end])).code, 0);
    assert.equal(await total(), 2 ** 32 + 13);
    assert.deepEqual(
      (await sessions(0)).map(({ state, closeCause }: { state: string; closeCause: string }) => [
        state,
        closeCause,
      ]),
      [['closed', 'idle timeout']],
    );
  });

  it('is answered also where the line is not known, and not where the secret is another', async () => {
    await crew.have(1);
    const before = await total();
    const unknown = packet(1, 1, { '3GPP-IMSI': '"001019999999999"', 'Acct-Input-Octets': 5 });
    assert.equal((await sendAccounting(address, [unknown])).code, 0);
    const wrong = await sendAccounting(address, [packet(1, 1, { 'Acct-Input-Octets': 5 })], {
      secret: 'another',
      tries: 1,
      waitS: 1,
    });
    assert.notEqual(wrong.code, 0);
    await until('the feed tells what was wrong', async () => {
      const row = await world.ctx.db.maybe<{ lastError: string }>(
        sql`select last_error as "lastError" from network_feed where feed = 'radius'`,
      );
      return row?.lastError.includes('cannot be trusted') ?? false;
    });
    assert.equal(await total(), before);
  });

  it('is met with silence while the feed is paused, and is taken when it goes on', async () => {
    await crew.have(1);
    const { db } = world.ctx;
    const before = await total();
    const last = packet(2, 1, { 'Acct-Input-Octets': 50 });
    const asks = () => sendAccounting(address, [last], { tries: 1, waitS: 1 });
    await setFeedPaused(db, 'radius', 'test', new Date());
    await until('the process has heard of the pause', async () => (await asks()).code !== 0);
    const paused = await total();
    const more = packet(2, 2, { 'Acct-Input-Octets': 70 });
    assert.notEqual((await sendAccounting(address, [more], { tries: 1, waitS: 1 })).code, 0);
    assert.equal(await total(), paused);
    await setFeedPaused(db, 'radius', undefined, new Date());
    assert.equal((await sendAccounting(address, [more], { tries: 60, waitS: 1 })).code, 0);
    assert.equal((await total()) - before, 70);
  });
});
