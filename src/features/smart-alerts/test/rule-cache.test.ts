import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../../platform/db/db.ts';
import { listRulesOfDevices } from '../../device-management/index.ts';
import { createRuleCache } from '../rule-cache.ts';
import { ECPD, makeScene } from './scene.ts';

const { world, withRule, deviceIdOf } = await makeScene();
const condition = (text: string) => ({ field: 'door', operator: 'eq', value: text });
const small = [await withRule(condition('open')), await withRule(condition('shut'))];
const large = await withRule(condition('x'.repeat(900)));
const inert = await withRule({ unknown: 'x'.repeat(900) });

const { db } = world.ctx;
const rulesOf = async (numbers: readonly number[]) =>
  listRulesOfDevices(db, ECPD, await Promise.all(numbers.map(deviceIdOf)));

/** Counts the queries that the cache sends to the database. */
function counted() {
  let asked = 0;
  const counting: Db = {
    ...db,
    many: (query) => {
      asked++;
      return db.many(query);
    },
  };
  return { counting, asked: () => asked };
}

describe('the cache of rules', () => {
  it('keeps rules that fit, and does not load them again', async () => {
    const cache = createRuleCache({ rules: 10, chars: 2_000 });
    const { counting, asked } = counted();
    const rules = await rulesOf([...small, large]);
    const first = await cache.read(counting, ECPD, rules);
    const again = await cache.read(counting, ECPD, rules);
    assert.deepEqual(again, first);
    assert.ok(first.every((one) => one?.read.evaluable));
    assert.equal(asked(), 1);
  });

  it('evicts the oldest when their texts exceed the limit, and loads them again', async () => {
    const cache = createRuleCache({ rules: 10, chars: 1_000 });
    const { counting, asked } = counted();
    await cache.read(counting, ECPD, await rulesOf(small));
    await cache.read(counting, ECPD, await rulesOf([large]));
    assert.equal(asked(), 2);
    await cache.read(counting, ECPD, await rulesOf([large]));
    assert.equal(asked(), 2);
    // Which rules were evicted depends on their ids, so both are read together.
    const read = await cache.read(counting, ECPD, await rulesOf(small));
    assert.ok(read.every((one) => one?.read.evaluable));
    assert.equal(asked(), 3);
  });

  it('loads a rule larger than the whole cache every time, and counts only the reason of an inert one', async () => {
    const cache = createRuleCache({ rules: 10, chars: 500 });
    const { counting, asked } = counted();
    for (const times of [1, 2]) {
      const [one] = await cache.read(counting, ECPD, await rulesOf([large]));
      assert.ok(one?.read.evaluable);
      assert.equal(asked(), times);
    }
    await cache.read(counting, ECPD, await rulesOf([inert]));
    const [one] = await cache.read(counting, ECPD, await rulesOf([inert]));
    assert.equal(one?.read.evaluable, false);
    assert.equal(asked(), 3);
  });

  it('keeps at most its maximum of rules', async () => {
    const cache = createRuleCache({ rules: 1, chars: 10_000 });
    const { counting, asked } = counted();
    for (const n of [...small, ...small]) await cache.read(counting, ECPD, await rulesOf([n]));
    assert.equal(asked(), 4);
  });
});
