import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  ALLOWANCE,
  ageing,
  B,
  below,
  DAY_MS,
  imei,
  KB,
  openClosingScenes,
  paygRule,
} from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();
const PATH = '/m2m/v2/triggers/actions/past-use';
const NOW = '2026-03-28T12:00:00Z';
const PERIOD = { from: '2026-03-01', to: '2026-03-28' };
/** Lines 0 and 1 belong to A, 2 and 3 to B; all are on the same plan. */
const ACCOUNT_OF = [A, A, B, B];
const DAYS = 40;

interface Use {
  readonly subject: string;
  readonly accountName: string;
  readonly deviceName?: string;
  readonly levels: readonly { level: number; thresholdBytes: number; below: boolean }[];
  readonly days: readonly { day: string; bytes: number; countedBytes: number }[];
}

async function makeScene() {
  const users = [
    { username: 'owner', password: 'owner-password', accounts: [A, B] },
    { username: 'part', password: 'part-password', accounts: [A] },
  ];
  const lines = ACCOUNT_OF.map((accountName, n) => ({ imei: imei(n), accountName }));
  const scene = await makeClosingScene({ at: NOW, lines, people: { clients: [CLIENT], users } });
  const owner = await asUser(scene.world, users[0]!);
  const ask = async (pricePlanTrigger: object, more: object = {}, caller = owner) => {
    return caller.call('POST', PATH, { pricePlanTrigger, period: PERIOD, ...more });
  };
  const use = async (rule: object, more: object = {}): Promise<Use | undefined> => {
    const answer = await ask(rule, more);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().use;
  };
  return { ...scene, ask, use };
}

const dayAgo = (days: number): string => new Date(Date.parse(NOW) - days * DAY_MS).toISOString().slice(0, 10);
const rule = (cycleType: string, more: object = {}) => below(5, cycleType, { comparator: 'gt', ...more });
const together = { conditionType: 'AccountLevel', separateOrCombined: 'Combined' };
const apart = { conditionType: 'AccountLevel', separateOrCombined: 'Separate' };

interface Fed {
  readonly line: number;
  readonly daysAgo: number;
  readonly bytes: number;
}
/** At least one record is in the period: without any there is nothing to choose from. */
const Feed = fc
  .array(
    fc.record({
      line: fc.integer({ min: 0, max: 3 }),
      daysAgo: fc.integer({ min: 0, max: DAYS }),
      bytes: fc.integer({ min: 1, max: 9 * KB }),
    }),
    { maxLength: 60 },
  )
  .map((fed): Fed[] => [{ line: 0, daysAgo: 0, bytes: KB }, ...fed]);

/** Bill cycles begin on the first, weeks on Monday. */
function cycleBegin(cycle: string, day: string): string {
  if (cycle === 'Daily') return day;
  if (cycle === 'Monthly') return `${day.slice(0, 7)}-01`;
  const at = new Date(`${day}T00:00:00Z`);
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

/** Slow and obvious: the sum of the fed bytes, day by day. */
function daysOf(fed: readonly Fed[], lines: readonly number[], cycle: string) {
  const own = fed.filter(({ line }) => lines.includes(line));
  const sum = (isOf: (day: string) => boolean) =>
    own.reduce((all, { daysAgo, bytes }) => all + (isOf(dayAgo(daysAgo)) ? bytes : 0), 0);
  return Array.from({ length: 28 }, (_, n) => {
    const day = dayAgo(27 - n);
    const begin = cycleBegin(cycle, day);
    return {
      day,
      bytes: sum((other) => other === day),
      countedBytes: sum((other) => other >= begin && other <= day),
    };
  });
}

describe(`POST ${PATH}`, () => {
  it('200: counts the usage of each counter day by day in every cycle', async () => {
    await fc.assert(
      fc.asyncProperty(Feed, fc.constantFrom('Daily', 'Weekly', 'Monthly'), async (fed, cycle) => {
        const scene = await makeScene();
        await scene.feedAll(
          fed.map(({ line, daysAgo, bytes }) => ({
            device: imei(line),
            at: `${dayAgo(daysAgo)}T11:00:00Z`,
            bytes,
          })),
        );
        const line = await scene.use(paygRule(rule(cycle), [A, B]));
        assert.ok(line !== undefined);
        const nth = ACCOUNT_OF.findIndex((_, n) => imei(n) === line.deviceName);
        assert.equal(line.accountName, ACCOUNT_OF[nth]);
        assert.deepEqual(line.days, daysOf(fed, [nth], cycle));
        const of = { subject: line.subject, accountName: line.accountName };
        assert.deepEqual(await scene.use(paygRule(rule(cycle), [A, B]), { of }), line);

        const ofAll = await scene.use(paygRule(rule(cycle, together), [A, B]));
        assert.deepEqual(ofAll?.days, daysOf(fed, [0, 1, 2, 3], cycle));
        const ofB = { subject: B, accountName: B };
        const account = await scene.use(paygRule(rule(cycle, apart), [A, B]), { of: ofB });
        assert.deepEqual([account?.subject, account?.days], [B, daysOf(fed, [2, 3], cycle)]);
      }),
      { numRuns: casesOf({ everyday: 5, all: 25 }) },
    );
  });

  it('200: is empty without usage in the period', async () => {
    const scene = await makeScene();
    await scene.feed(imei(0), `${dayAgo(DAYS)}T11:00:00Z`, KB);
    assert.equal(await scene.use(paygRule(rule('Daily'), [A, B])), undefined);
  });

  it('200: chooses the highest counter, or the lowest if staying below fires', async () => {
    const scene = await makeScene();
    for (const [n, bytes] of [3, 9, 1, 5].entries())
      await scene.feed(imei(n), `${PERIOD.from}T11:00:00Z`, bytes * KB);
    const nameOf = async (comparator: string) =>
      (await scene.use(paygRule(rule('Monthly', { comparator }), [A, B])))?.deviceName;
    assert.deepEqual([await nameOf('gt'), await nameOf('lt')], [imei(1), imei(2)]);
  });

  it('200: gives each level in bytes, also percentages of a shared allowance', async () => {
    const scene = await makeScene();
    await scene.feed(imei(0), `${PERIOD.from}T11:00:00Z`, KB);
    const allowance = { conditionType: 'UsageAllowance', percentage50: true, percentage90: true };
    const pool = await scene.use(paygRule(allowance, [A]));
    assert.deepEqual(
      pool?.levels.map(({ level, thresholdBytes }) => [level, thresholdBytes]),
      [50, 90].map((percent) => [percent, (2 * ALLOWANCE * percent) / 100]),
    );
    const [least] = (await scene.use(paygRule(below(5, 'Daily'), [A])))?.levels ?? [];
    assert.deepEqual([least?.thresholdBytes, least?.below], [5 * KB, true]);
  });

  it('200: is empty without usage or if only time counts, and has zeros for a named line', async () => {
    const scene = await makeScene();
    assert.equal(await scene.use(paygRule(rule('Monthly'), [A])), undefined);
    await scene.feed(imei(0), `${PERIOD.from}T11:00:00Z`, KB);
    assert.equal(await scene.use(ageing(2)), undefined);
    const [idle] = await scene.db.many<{ id: string }>(
      sql`select device_id as id from device where imei = ${imei(1)}`,
    );
    const named = await scene.use(paygRule(rule('Monthly'), [A]), {
      of: { subject: idle!.id, accountName: A },
    });
    assert.deepEqual([named?.deviceName, named?.days], [imei(1), daysOf([], [1], 'Monthly')]);
  });

  it('400: for invalid days, and 401: for a user of only some of the accounts', async () => {
    const scene = await makeScene();
    const part = await asUser(scene.world, { username: 'part', password: 'part-password' });
    const days = { period: { from: '2026-02-30', to: '2026-03-01' } };
    assert.equal((await scene.ask(paygRule(rule('Monthly')), days)).statusCode, 400);
    assert.equal((await scene.ask(paygRule(rule('Monthly'), [A, B]), {}, part)).statusCode, 401);
  });
});
