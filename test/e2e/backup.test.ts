import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { purgeUsage } from '../../src/features/usage/jobs.ts';
import { BackupError, restoreBackup, writeBackup } from '../../src/platform/backup/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { readMigrations } from '../../src/platform/db/migrate.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ECPD } from '../support/callback-scene.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { ACCOUNT, MANAGED, SMALL_FLEET, STRANGER } from '../support/fleet.ts';
import { openListener } from '../support/listener.ts';
import { schemaText } from '../support/schema-text.ts';
import { makeWorld, type World } from '../support/world.ts';

const RECORDS_PER_FEED = 100;
const PADDING_ROWS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'linekeeper-backup-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const migrations = await readMigrations('migrations/');
const secretKey = generateSecretKey();
const world = await makeWorld({ secretKey });
const listener = await openListener(200);
await world.import({
  ...SMALL_FLEET,
  listeners: [
    { accountName: ACCOUNT, serviceName: 'AlertService', url: listener.url, password: 'pass-word' },
  ],
});

// As in production, the ledger consists of months.
await purgeUsage({ keptDays: 400, byMonth: true }).run(world.ctx, {}, {
  signal: new AbortController().signal,
} as never);

/** A row of another profile in a table between the counters and the ledger: feeds continue between these two. */
await world.ctx.db.exec(sql`
  insert into usage_device_month (ecpd_id, account_name, device_id, month, plan_code, day_bytes)
  select '9000009', ${STRANGER}, gen_random_uuid(), date '2025-01-01', '', array_fill(1::bigint, array[31])
  from generate_series(1, ${PADDING_ROWS}::int)`);

let feeds = 0;
async function feed({ operator, clock }: World): Promise<number> {
  const run = feeds++;
  const at = new Date(clock.now().getTime() - 60_000).toISOString();
  const lines = Array.from({ length: RECORDS_PER_FEED }, (_, n) =>
    // Text that COPY must escape.
    JSON.stringify({ id: `tab\t\\N"${run}-${n}`, kind: 'imei', device: '990000000000011', at, bytes: n }),
  );
  const answer = await operator('POST', '/usage', lines.join('\n'));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().accepted;
}

const countRecords = async ({ ctx }: World) =>
  (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from usage_record`)).n;
const listCallbacks = async ({ operator }: World) => (await operator('GET', '/callbacks?limit=100')).json();

/** Page by page to the end, like `linekeeper reconcile`. */
async function reconcile({ operator }: World, accountName: string) {
  const found = { checked: 0, differences: [] as unknown[] };
  let page = '';
  do {
    const answer = await operator('GET', `/usage/differences?accountName=${accountName}${page}`);
    assert.equal(answer.statusCode, 200, answer.body);
    found.checked += answer.json().checked;
    found.differences.push(...answer.json().differences);
    page = answer.headers['x-next'] === undefined ? '' : `&page=${answer.headers['x-next']}`;
  } while (page !== '');
  return found;
}

/** Closed at the end of the file, before its database is dropped. */
async function restored(file: string): Promise<World> {
  const { url, drop } = await createEmptyDatabase();
  await restoreBackup(url, file, { migrations, force: false });
  const other = await makeWorld({ databaseUrl: url, secretKey });
  after(drop);
  return other;
}

const whole = join(folder, 'whole.backup');

describe('a backup', () => {
  it('of a database that is being fed is a consistent snapshot, and is the same after a restore', async () => {
    await inTx(world.ctx, (tx) =>
      postCallbacks(
        tx,
        ECPD,
        ['one', 'two', 'three'].map((text) => ({
          accountName: ACCOUNT,
          serviceName: 'AlertService' as const,
          requestId: text,
          payload: { text },
        })),
      ),
    );
    await world.delivery.settle();
    const before = await feed(world);
    let stop = false;
    const feeding = (async () => {
      while (!stop) await feed(world);
    })();
    const totals = await writeBackup(world.databaseUrl, whole, '0.0.0-test');
    stop = true;
    await feeding;
    const afterwards = await countRecords(world);

    const other = await restored(whole);
    const taken = await countRecords(other);
    assert.ok(taken >= before && taken < afterwards && taken % RECORDS_PER_FEED === 0, String(taken));
    const [own, managed] = [await reconcile(other, ACCOUNT), await reconcile(other, MANAGED)];
    assert.deepEqual([...own.differences, ...managed.differences], []);
    assert.ok(own.checked > 0);
    const archive = await listCallbacks(other);
    assert.equal(archive.length, 3);
    assert.deepEqual(archive, await listCallbacks(world));
    assert.equal(await schemaText(other.ctx.db), await schemaText(world.ctx.db));
    assert.ok(totals.rows > taken && totals.tables > 40);
    assert.equal(statSync(whole).mode & 0o777, 0o600);
  });

  it('is usable after a restore: sequences continue, sealed secrets open, and triggers are enabled', async () => {
    const other = await restored(whole);
    await other.import({ devices: [{ accountName: ACCOUNT, imei: '990000000000037' }] });
    assert.equal(await feed(other), RECORDS_PER_FEED);
    await inTx(other.ctx, (tx) =>
      postCallbacks(tx, ECPD, [
        { accountName: ACCOUNT, serviceName: 'AlertService', requestId: 'four', payload: { text: 'four' } },
      ]),
    );
    await other.delivery.settle();
    const callbacks = (await listCallbacks(other)) as { requestId: string; state: string }[];
    assert.equal(callbacks.find(({ requestId }) => requestId === 'four')?.state, 'delivered');
    const off = await other.ctx.db.many(sql`select from pg_trigger where tgenabled <> 'O'`);
    assert.deepEqual(off, []);
  });

  it('does not overwrite a file', async () =>
    assert.rejects(writeBackup(world.databaseUrl, whole, '0.0.0-test'), /already exists/));
});

describe('restoring', () => {
  const refuse = (url: string, file: string, sentence: RegExp, force = false) =>
    assert.rejects(restoreBackup(url, file, { migrations, force }), (error) => {
      assert.ok(error instanceof BackupError, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    const file = join(folder, name);
    writeFileSync(file, change(readFileSync(whole)));
    return file;
  };

  it('refuses a file that is cut off, changed or not a backup, and leaves the database empty', async () => {
    const { url, drop } = await createEmptyDatabase();
    after(drop);
    await refuse(
      url,
      changed('cut', (bytes) => bytes.subarray(0, -40)),
      /not a complete backup/,
    );
    const flipped = changed('flipped', (bytes) => {
      const plain = gunzipSync(bytes);
      plain[plain.lastIndexOf('pass') + 1]! ^= 1;
      return gzipSync(plain);
    });
    await refuse(url, flipped, /not a complete backup/);
    await refuse(
      url,
      changed('short', (bytes) => gzipSync(gunzipSync(bytes).subarray(0, -1))),
      /not a complete backup/,
    );
    await refuse(
      url,
      changed('other', () => gzipSync('{"some":"thing"}\n')),
      /not a backup of Linekeeper/,
    );
    await restoreBackup(url, whole, { migrations, force: false });
  });

  it('refuses a backup of a newer version', async () => {
    const { url, drop } = await createEmptyDatabase();
    after(drop);
    const older = migrations.slice(0, -1);
    await assert.rejects(restoreBackup(url, whole, { migrations: older, force: true }), /does not have/);
  });

  it('refuses a database that is in use, even by force', () =>
    refuse(world.databaseUrl, whole, /stop all its processes/, true));

  it('refuses a database that contains anything, and replaces it by force', async () => {
    const { url, drop } = await createTestDatabase();
    after(drop);
    await refuse(url, whole, /not empty/);
    const { rows } = await restoreBackup(url, whole, { migrations, force: true });
    const again = join(folder, 'again.backup');
    assert.equal((await writeBackup(url, again, '0.0.0-test')).rows, rows);
  });
});
