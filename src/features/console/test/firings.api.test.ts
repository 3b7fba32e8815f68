import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import { signIn } from './scene.ts';

const DAY_MS = 86_400_000;
const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  accounts: SMALL_FLEET.accounts.map((one) => ({ ...one, timeZone: 'America/Chicago' })),
});
const random = randomFor('firings of a period');
/** Many at the same moment, and some of another account. */
const drawn = Array.from({ length: 260 }, (_, n) => ({
  firingId: randomUUID(),
  accountName: n % 5 === 0 ? MANAGED : ACCOUNT,
  firedAt: new Date(START.getTime() - random.between(0, 24 * 20) * 3_600_000),
}));
await world.ctx.db.exec(sql`
  insert into firing (ecpd_id, trigger_id, subject, level_kind, level, cycle_from, cycle_to, firing_id, kind, account_name,
    counted_before, counted_after, threshold, rule_version, fired_at, late)
  select '9000001', f.id, f.account, 'percent', 50, ${START}, ${new Date(START.getTime() + DAY_MS)}, f.id, 'usage', f.account,
    1, 2, 2, 1, f.at, false
  from unnest(${plainArray(drawn.map(({ firingId }) => firingId))}::uuid[], ${drawn.map(({ accountName }) => accountName)}::text[],
    ${plainArray(drawn.map(({ firedAt }) => firedAt))}::timestamptz[]) as f (id, account, at)`);

const operator = await signIn(world);
const read = async (path: string) => {
  const answer = await operator.get(`/accounts/${ACCOUNT}${path}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
type Listed = { firingId: string; firedAt: string };
async function readAll(days: number, limit: number): Promise<Listed[]> {
  const all: Listed[] = [];
  let page = '';
  do {
    const { firings, next = '' } = await read(
      `/firings?days=${days}&limit=${limit}${page && `&page=${page}`}`,
    );
    all.push(...firings);
    page = next;
  } while (page !== '');
  return all;
}

describe('GET /console/v1/accounts/{accountName}/firings', () => {
  it('200: has each firing once that the overview counts in the period, newest first, however long the pages', async () => {
    for (const days of [1, 7, 13, 60]) {
      const overview = await read(`/overview/firings?days=${days}`);
      const counted = overview.days.reduce((sum: number, day: { firings: number }) => sum + day.firings, 0);
      // Midnight in Chicago is six in the morning of UTC.
      const from = Date.parse('2026-01-05T06:00:00Z') - days * DAY_MS;
      const own = drawn.filter((one) => one.accountName === ACCOUNT && one.firedAt.getTime() >= from);
      for (const limit of [3, 50, 200]) {
        const listed = await readAll(days, limit);
        assert.equal(listed.length, counted);
        assert.deepEqual(
          listed.map(({ firingId }) => firingId).sort(),
          own.map(({ firingId }) => firingId).sort(),
        );
        const times = listed.map(({ firedAt }) => firedAt);
        assert.deepEqual(times, times.toSorted().toReversed());
      }
    }
  });

  it('400: takes no period of more than a year and a day, and no page of another list', async () => {
    for (const wrong of ['days=0', 'days=367', 'page=1'])
      assert.equal((await operator.get(`/accounts/${ACCOUNT}/firings?${wrong}`)).statusCode, 400, wrong);
  });
});
