import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openCrew, until } from '../support/service-crew.ts';
import { makeWorld } from '../support/world.ts';
import { freeUdpPort } from './support/addresses.ts';
import { imsiOf } from './support/lines.ts';
import { isInstalled } from './support/peer-process.ts';
import { SECRET, sendInShares } from './support/radclient.ts';
import { reportedSessions } from './support/reported-sessions.ts';
import { startRelay } from './support/udp-relay.ts';

const skip = isInstalled('radclient') ? false : 'radclient is not installed';
const isFull = process.env['TEST_FULL'] === 'on';
const REPORTS = isFull ? 200_000 : 20_000;
/** The reports are sent in this many parts, with a failure in the middle of each. */
const PARTS = isFull ? 20 : 4;
/** Packets that a cut drops: more than ever wait for an answer at one time. */
const LOST = 1_000;
const LIMIT_MS = (isFull ? 60 : 10) * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-radius-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const { db } = world.ctx;
const reported = reportedSessions(REPORTS);
await world.import({
  ...SMALL_FLEET,
  devices: Array.from({ length: reported.lines }, (_, n) => ({
    accountName: n % 2 === 0 ? ACCOUNT : STRANGER,
    imsi: imsiOf(n),
  })),
});
const port = await freeUdpPort('127.0.0.1');
const radius = { listen: `127.0.0.1:${port}`, clients: [{ address: '127.0.0.1/32', secret: SECRET }] };
const file = join(folder, 'network.json');
writeFileSync(file, JSON.stringify({ feeds: { radius } }));
const crew = openCrew(world, secretKey, { LINEKEEPER_ROLE: 'worker', LINEKEEPER_NETWORK: file });
const relay = await startRelay(port, SECRET);
after(() => relay.close());

/** Failures while reports arrive; the service has recovered when the promise resolves. */
const TROUBLES: readonly (readonly [what: string, make: (isOver: () => boolean) => Promise<unknown>])[] = [
  [
    'one process is killed',
    async () => {
      const [oldest] = await crew.have(2);
      await oldest!.stop('SIGKILL');
      await crew.have(2);
    },
  ],
  [
    'nothing passes between the access server and the service',
    async (isOver) => {
      const enough = relay.lost() + LOST;
      relay.cut(LOST);
      // Unanswered packets are sent again, so the cut ends on its own.
      await until('packets are lost', () => isOver() || relay.lost() >= enough, {
        seconds: LIMIT_MS / 1_000,
      });
    },
  ],
  [
    'all processes are killed',
    async () => {
      const all = await crew.have(2);
      await Promise.all(all.map((one) => one.stop('SIGKILL')));
      await crew.have(2);
    },
  ],
  [
    'all connections to the database are ended',
    () =>
      db.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name ~ '^linekeeper-worker'`),
  ],
];

/** By line: its bytes in the ledger. */
async function counted(): Promise<ReadonlyMap<string, number>> {
  const rows = await db.many<{ imsi: string; bytes: number }>(sql`
    select i.value as imsi, coalesce(sum(r.bytes), 0)::float8 as bytes from device_identifier i
    left join usage_record r on r.ecpd_id = i.ecpd_id and r.device_id = i.device_id
    where i.kind = 'imsi' group by i.value`);
  return new Map(rows.map(({ imsi, bytes }) => [imsi, bytes]));
}

describe('accounting while the service and its connections are broken', { skip }, () => {
  it(`is exact to the byte for each of ${reported.lines} lines, after ${REPORTS} reports and ${PARTS} breaks`, {
    timeout: LIMIT_MS,
  }, async (t) => {
    await crew.have(2);
    const packets = reported.packets();
    const size = REPORTS / PARTS;
    for (let part = 0; part < PARTS; part++) {
      const some = packets.slice(part * size, (part + 1) * size);
      const begun = relay.answers();
      const [what, make] = TROUBLES[part % TROUBLES.length]!;
      let isSending = true;
      const sending = sendInShares(relay.address, some).finally(() => {
        isSending = false;
      });
      const breaking = (async () => {
        await until(
          'half of the reports are answered',
          () => relay.answers() - begun >= size / 2 || !isSending,
          {
            seconds: LIMIT_MS / 1_000,
            everyMs: 2,
          },
        );
        t.diagnostic(`after ${relay.answers()} answers: ${what}`);
        await make(() => !isSending);
      })();
      await Promise.all([sending, breaking]);
    }
    const found = await counted();
    const wrong = Array.from({ length: reported.lines }, (_, line) => [
      imsiOf(line),
      found.get(imsiOf(line)),
      reported.usedBy(line),
    ]).filter(([, bytes, used]) => bytes !== used);
    assert.deepEqual(wrong.slice(0, 10), []);
    const { open, all } = await db.one<{ open: number; all: number }>(
      sql`select count(*) filter (where closed_at is null)::int as open, count(*)::int as all from data_session`,
    );
    assert.deepEqual([open, all], [0, reported.sessions]);
    for (const accountName of [ACCOUNT, STRANGER])
      assert.deepEqual(
        (await world.operator('GET', `/usage/differences?accountName=${accountName}`)).json().differences,
        [],
      );
  });
});
