import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';
import { parseSettings } from '../../../platform/config/settings.ts';
import { generateSecretKey } from '../../../platform/crypto/secret-box.ts';
import { sql } from '../../../platform/db/sql.ts';
import { IMEI, makeFeedWorld, ndjson } from '../../usage/test/feed.ts';

const world = await makeFeedWorld();
const { db } = world.ctx;
/** Two minutes before midnight in the account's time zone. */
const NOW = new Date('2026-01-15T05:58:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms).toISOString();
const AHEAD_MS = 300_000;
const head = { kind: 'imei', device: IMEI };
const REASON = 'at lies more than 300 seconds in the future';

const feed = async (name: string, records: readonly object[], to = world) => {
  to.clock.holdAt(NOW);
  return (await to.operator('POST', `/${name}`, ndjson(records))).json();
};

describe('a record dated ahead of the clock', () => {
  // proves usage/the-future
  it('by up to five minutes is usage at the time of its receipt; further ahead it is rejected', async () => {
    const record = (id: string, ms: number) => ({ ...head, id, at: after(ms), bytes: 1 });
    const fed = await feed('usage', [record('a', 1), record('b', AHEAD_MS), record('c', AHEAD_MS + 1)]);
    assert.deepEqual([fed.accepted, fed.rejected], [2, [{ line: 3, reason: REASON }]]);
    const kept = await db.many(sql`select at, day, delayed from usage_record where record_id in ('a', 'b')`);
    const occurred = { at: NOW, day: '2026-01-14', delayed: false };
    assert.deepEqual(kept, [occurred, occurred]);
    const again = await feed('usage', [record('a', 1)]);
    assert.equal(again.duplicates, 1);
  });

  // proves usage/the-future
  it('is a position of now, and of several, the one with the latest date counts', async () => {
    const position = (ms: number, lat: number) => ({ ...head, at: after(ms), lat, lon: 0 });
    const fed = await feed('positions', [
      position(2_000, 2),
      position(3_000, 3),
      position(1_000, 1),
      position(AHEAD_MS + 1, 4),
    ]);
    assert.deepEqual([fed.accepted, fed.rejected], [3, [{ line: 4, reason: REASON }]]);
    assert.deepEqual(await db.many(sql`select at, latitude from device_position`), [
      { at: NOW, latitude: 3 },
    ]);
  });

  it('is a reading of now, and several are shown in the order of their dates', async () => {
    const reading = (ms: number, t: number) => ({ ...head, at: after(ms), values: { t } });
    const fed = await feed('readings', [
      reading(2_000, 2),
      reading(3_000, 3),
      reading(1_000, 1),
      reading(AHEAD_MS + 1, 4),
    ]);
    assert.deepEqual([fed.accepted, fed.late, fed.rejected], [3, 0, [{ line: 4, reason: REASON }]]);
    assert.deepEqual(await db.many(sql`select at, known from device_reading where at is not null`), [
      { at: NOW, known: { t: 3 } },
    ]);
  });

  it('is rejected if the setting says so, and is accepted in production as in the sandbox', async () => {
    const strict = await makeWorld({
      databaseUrl: world.databaseUrl,
      env: { LINEKEEPER_FEED_AHEAD_SECONDS: '0' },
    });
    const fed = await feed('usage', [{ ...head, id: 'd', at: after(1), bytes: 1 }], { ...world, ...strict });
    assert.deepEqual(fed.rejected, [{ line: 1, reason: 'at lies in the future' }]);
    const production = {
      LINEKEEPER_MODE: 'production',
      DATABASE_URL: 'postgres://localhost/x',
      LINEKEEPER_SECRET_KEY: generateSecretKey(),
      LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-length',
    };
    assert.equal(parseSettings(production).feedAheadMs, AHEAD_MS);
  });
});
