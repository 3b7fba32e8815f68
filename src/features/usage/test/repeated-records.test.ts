import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const at = world.ctx.now().toISOString();
const ROUNDS = 40;

describe('records that are sent again', () => {
  it('are counted once, however few they are in a feed and whatever was fed before', async () => {
    const random = randomFor('repeated records');
    const known = new Set<string>();
    let [accepted, duplicates] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const fresh = Array.from({ length: random.between(0, 150) }, (_, n) => `r${round}-${n}`);
      const share = random.pick([0, 0, 0.01, 0.01, 0.5, 1]);
      const again = [...known].filter(() => random.between(0, 999) < 1_000 * share).slice(0, 150);
      const ids = [...fresh, ...again].map((id) => [random.between(0, 1_000_000), id] as const);
      const records = ids
        .toSorted(([a], [b]) => a - b)
        .map(([, id]) => ({ id, kind: 'imei', device: '990000000000011', at, bytes: 1 }));
      const answer = await world.operator('POST', '/usage', records);
      const result = answer.json();
      assert.deepEqual([result.accepted, result.duplicates], [fresh.length, again.length], answer.body);
      for (const id of fresh) known.add(id);
      accepted += fresh.length;
      duplicates += again.length;
    }
    assert.ok(accepted > 1_000 && duplicates > 100, `${accepted} and ${duplicates}`);
    const { db } = world.ctx;
    const { ids } = await db.one<{ ids: number }>(sql`select count(*)::int as ids from usage_record_id`);
    const { rows, bytes } = await db.one<{ rows: number; bytes: number }>(
      sql`select count(*)::int as rows, sum(bytes)::float8 as bytes from usage_record`,
    );
    assert.deepEqual([ids, rows, bytes], [accepted, accepted, accepted]);
  });
});
