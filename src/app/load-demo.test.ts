import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { demoFleet } from '../../demo/fleet.ts';
import { makeCtx } from '../../test/support/ctx.ts';
import { freshDatabase } from '../../test/support/database.ts';
import type { Ctx } from '../platform/context/context.ts';
import { sql, trusted } from '../platform/db/sql.ts';
import { importDocument } from '../platform/fleet-document/import-document.ts';
import { selectEntries } from '../platform/fleet-document/select-entries.ts';
import { hasDemoFleet, loadDemoFleet } from './load-demo.ts';
import { fleetSections, fleetSectionsWith } from './sections.ts';

const NOW = new Date('2026-03-10T08:30:00Z');

async function emptyCtx(now = NOW): Promise<Ctx> {
  const { db, drop } = await freshDatabase();
  after(drop);
  return makeCtx(db, now);
}

async function* chunksOf(document: object) {
  yield Buffer.from(JSON.stringify(document));
}

async function exported({ db }: Ctx): Promise<Record<string, unknown[]>> {
  const entries = fleetSections.map(async (section) => [
    section.name,
    await Array.fromAsync(selectEntries(db, section, undefined)),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

const loaded = await emptyCtx();
assert.equal(await hasDemoFleet(loaded, fleetSections), false);
assert.equal(await loadDemoFleet(loaded, fleetSections), true);

test('the demo fleet comes into an empty database whole and without a problem', async () => {
  const kept = await exported(loaded);
  for (const [name, entries] of Object.entries(demoFleet(NOW)))
    assert.ok((kept[name]?.length ?? 0) >= entries.length, name);
  assert.equal(kept['devices']!.length, 200);
  assert.equal(await hasDemoFleet(loaded, fleetSections), true);
});

test('the demo fleet comes without its listeners where callbacks may not reach this machine', async () => {
  const ctx = await emptyCtx();
  assert.equal(
    await loadDemoFleet(
      ctx,
      fleetSectionsWith(() => 'address is not allowed'),
    ),
    true,
  );
  const { listeners, devices } = await exported(ctx);
  assert.deepEqual([listeners!.length, devices!.length], [0, 200]);
});

/** What is drawn anew for each row, whoever writes it. */
const DRAWN = [
  ...['secret_hash', 'password_hash', 'secret_sealed', 'username_sealed', 'password_sealed'],
  ...['version_id', 'txid', 'job_id', 'after'],
];

async function allRows({ db }: Ctx): Promise<Record<string, unknown>> {
  const tables = await db.many<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname <> 'schema_migration'`);
  const rows = tables.map(async ({ name }) => [
    name,
    await db.many(
      sql`select to_jsonb(t) - ${DRAWN}::text[] as row from ${trusted(name)} t order by (to_jsonb(t) - ${DRAWN}::text[])::text`,
    ),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

for (const [day, prefix] of [
  ['2026-03-10T08:30:00Z', 'SVC'],
  ['2028-02-29T23:59:59Z', 'SVC'],
  ['2026-12-31T23:30:00Z', 'ABC'],
] as const) {
  test(`the demo fleet of ${day} passes all checks of an import, and is loaded as that would load it`, async () => {
    const now = new Date(day);
    const [checked, loadedAlone] = [await emptyCtx(now), await emptyCtx(now)];
    const result = await importDocument(checked, chunksOf(demoFleet(now, prefix)), fleetSections);
    assert.ok('counts' in result, JSON.stringify(result));
    assert.equal(await loadDemoFleet(loadedAlone, fleetSections, prefix), true);
    assert.deepEqual(await allRows(loadedAlone), await allRows(checked));
  });
}

test('a second load does nothing', async () => {
  const before = await exported(loaded);
  assert.equal(await loadDemoFleet(loaded, fleetSections), false);
  assert.deepEqual(await exported(loaded), before);
});

test('importing the fleet again, as a second process in a race would, changes nothing', async () => {
  const before = await exported(loaded);
  const again = await importDocument(loaded, chunksOf(demoFleet(NOW)), fleetSections);
  assert.ok('counts' in again, JSON.stringify(again));
  assert.deepEqual(await exported(loaded), before);
});

for (const document of [
  { profiles: [{ ecpdId: '1' }] },
  { clients: [{ clientId: 'own-app' }] },
  { users: [{ username: 'own-user' }] },
]) {
  test(`a database that has ${Object.keys(document)} of its own gets no demo fleet`, async () => {
    const ctx = await emptyCtx();
    await importDocument(ctx, chunksOf(document), fleetSections);
    assert.equal(await loadDemoFleet(ctx, fleetSections), false);
    assert.equal((await exported(ctx))['devices']!.length, 0);
    assert.equal(await hasDemoFleet(ctx, fleetSections), false);
  });
}

test('a fleet that the import refuses stops the start and says why', async () => {
  const ctx = await emptyCtx();
  const withoutPlans = fleetSections.filter(({ name }) => name !== 'plans');
  await assert.rejects(loadDemoFleet(ctx, withoutPlans), /\/plans is not a known section/);
});
