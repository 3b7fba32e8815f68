import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../../../test/support/cases.ts';
import { asUser, CLIENT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import {
  A,
  ageing,
  B,
  below,
  DAY_MS,
  ECPD,
  HOUR_MS,
  imei,
  KB,
  openClosingScenes,
  paygRule,
  triggerId,
} from './closing-scene.ts';

const makeClosingScene = await openClosingScenes();

const OWNER = { username: 'owner', password: 'owner-password' };
const ACCOUNTS = {
  [A]: { timeZone: 'America/Chicago', billCycleDay: 31 },
  [B]: { timeZone: 'Asia/Kolkata', billCycleDay: 12 },
};
const IMEIS = [1, 2, 3, 4, 5, 6].map(imei);
const accountOf = (line: string) => (IMEIS.indexOf(line) < 3 ? A : B);

const over = (kb: number, cycleType: string, more: object = {}) =>
  below(kb, cycleType, { comparator: 'gt', ...more });
const level = (separateOrCombined: string) => ({ conditionType: 'AccountLevel', separateOrCombined });
const suspend = (more: object = {}) => ({
  suspend: true,
  suspendDetails: {
    suspendFromAccounts: [A, B],
    suspendDuration: '30',
    suspendOption: 'WithBilling',
    ...more,
  },
});
const toQ = { changePlan: true, changePlanDetails: { toCarrierServicePlanCode: 'CARRIER-Q' } };
const PERCENTS = { percentage50: true, percentage75: true, percentage90: true, percentage100: true };
const share = (kind: string, condition: object, action: object) => ({
  accountGroupShare: { [kind]: { filterCriteria: { ratePlanGroupId: 7 }, condition, action } },
});
const NOTIFY = { action: 'notify' };

/** As usage arrives, these also move and suspend lines, which affects the others and themselves. */
const AS_USAGE_COMES: Readonly<Record<string, object>> = {
  lineDaily: paygRule(over(3, 'Daily'), [A, B]),
  lineWeekly: paygRule(over(4, 'Weekly', { comparator: 'eq' }), [A, B]),
  lineMonthly: paygRule(over(9, 'Monthly'), [A, B], toQ),
  accountDaily: paygRule(over(5, 'Daily', level('Separate')), [A, B]),
  combinedWeekly: paygRule(
    over(9, 'Weekly', level('Combined')),
    [A, B],
    suspend({ threshold: 24, thresholdUnit: 'KB' }),
  ),
  combinedMonthly: paygRule(over(12, 'Monthly', level('Combined')), [B, A]),
  allowance: paygRule({ conditionType: 'UsageAllowance', ...PERCENTS }, [A, B]),
  shareOfLine: share('accountGroupShareIndividual', NOTIFY, {
    notify: {
      threshold: ['CARRIER-P', 'CARRIER-Q'].map((carrierCode) => ({ carrierCode, percentage: PERCENTS })),
    },
  }),
  shareOfPool: share('accountGroupSharePool', NOTIFY, { notify: { threshold: [{ percentage: PERCENTS }] } }),
};
/** These evaluate the state when a cycle closes. */
const AS_CYCLES_CLOSE: Readonly<Record<string, object>> = {
  linesBelow: paygRule(below(2, 'Daily'), [A, B]),
  linesBelowWeekly: paygRule(below(4, 'Weekly'), [A, B]),
  accountBelow: paygRule(below(6, 'Weekly', level('Separate')), [A, B]),
  combinedBelow: paygRule(below(40, 'Monthly', level('Combined')), [A, B]),
  aged: ageing(1, [A, B]),
  poolBelow: share(
    'accountGroupSharePool',
    { action: 'changePricePlan' },
    {
      changePlan: {
        changePlanLT: {
          changePlan: [{ fromCarrierCode: 'CARRIER-Z', toCarrierCode: 'CARRIER-P' }],
          dataPoolOverageBuffer: 10,
        },
      },
    },
  ),
};
const RULES = { ...AS_USAGE_COMES, ...AS_CYCLES_CLOSE };
const NAMES = Object.keys(RULES);
const FLEETS = casesOf({ everyday: 2, all: 5 });

const Line = fc.constantFrom(...IMEIS);
const Feed = fc.record({
  kind: fc.constant('feed' as const),
  usage: fc.array(
    fc.record({
      line: Line,
      /** How long before its batch. */
      agoHours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 24 * 35 })),
      bytes: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, KB, 3 * KB)),
      /** The id is derived from it, so that ids are in no order. */
      shuffled: fc.integer({ min: 0, max: 999 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
const Change = fc.record({
  kind: fc.constant('change' as const),
  line: Line,
  change: fc.constantFrom<object>(
    { servicePlan: 'P' },
    { servicePlan: 'Q' },
    { servicePlan: 'X' },
    { state: 'suspend' },
    { state: 'active' },
    { state: 'deactive' },
  ),
});
const Deletion = fc.record({ kind: fc.constant('deletion' as const), line: Line });
const Steps = fc.array(
  fc.record({
    /** The time since the previous step: often none, so that only the order tells which was first. */
    afterHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 24 * 5 })),
    step: fc.oneof(
      { arbitrary: Feed, weight: 5 },
      { arbitrary: Change, weight: 4 },
      { arbitrary: Deletion, weight: 1 },
    ),
  }),
  { minLength: 6, maxLength: 10 },
);

interface Comparable {
  readonly subject: string;
  readonly levelKind: string;
  readonly level: number;
  readonly from: string;
  readonly before: number;
  readonly after: number;
  readonly usageRecordId: string | null;
  readonly late: boolean;
}
const sorted = (list: readonly Comparable[]) =>
  list
    .map(({ subject, levelKind, level, from, before, after, usageRecordId, late }) =>
      [subject, levelKind, level, from, before, after, usageRecordId, late].join(' '),
    )
    .sort();

const idOf = (name: string) => triggerId(NAMES.indexOf(name) + 1);
const iso = (ms: number) => new Date(ms).toISOString();

async function makeFleet(startMs: number, names: readonly string[]) {
  const scene = await makeClosingScene({
    at: iso(startMs),
    accounts: ACCOUNTS,
    people: { clients: [CLIENT], users: [{ ...OWNER, accounts: [A, B] }] },
    lines: IMEIS.map((line, n) => ({
      imei: line,
      accountName: accountOf(line),
      servicePlan: n % 3 === 2 ? 'Q' : 'P',
      planSince: iso(startMs - (20 + 9 * n) * DAY_MS),
    })),
  });
  await scene.world.import({
    plans: ['X', 'Z'].map((code) => ({
      code,
      carrierServicePlanCode: `CARRIER-${code}`,
      name: code,
      kind: 'share',
      allowanceBytes: 3_000,
    })),
    // No line is on Z: the moves of a pool at month end change no line while others are evaluated.
    ratePlanGroups: [{ ratePlanGroupId: 7, ecpdId: ECPD, planCodes: ['P', 'Q', 'Z'], accounts: [A, B] }],
  });
  await scene.writeAll(names.map((name) => [NAMES.indexOf(name) + 1, RULES[name]!] as const));
  return scene;
}
type Fleet = Awaited<ReturnType<typeof makeFleet>>;

async function firedBy({ db }: Fleet, name: string): Promise<Comparable[]> {
  const rows = await db.many<Comparable & { cycleFrom: Date }>(sql`
    select subject, level_kind as "levelKind", level::float8 as level, cycle_from as "cycleFrom",
      counted_before::float8 as before, counted_after::float8 as after, usage_record_id as "usageRecordId", late
    from firing where trigger_id = ${idOf(name)}`);
  return rows.map(({ cycleFrom, ...row }) => ({ ...row, from: cycleFrom.toISOString() }));
}

/** Only what the trigger could see since it existed: also late usage of earlier days, and cycles that closed since. */
async function replayed({ world }: Fleet, name: string, startMs: number): Promise<Comparable[]> {
  const { call } = await asUser(world, OWNER);
  const dayOf = (ms: number) => iso(ms).slice(0, 10);
  const nowMs = world.clock.now().getTime();
  const from = name in AS_CYCLES_CLOSE ? startMs : startMs - 37 * DAY_MS;
  const answer = await call('POST', '/m2m/v2/triggers/actions/backtest', {
    pricePlanTrigger: RULES[name],
    period: { from: dayOf(from), to: dayOf(Math.min(nowMs + DAY_MS, from + 91 * DAY_MS)) },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  const { firings, truncated } = answer.json();
  assert.equal(truncated, false);
  return firings
    .filter(({ at }: { at: string }) => Date.parse(at) >= startMs)
    .map((firing: Comparable & { cycle: { from: string } }) => ({ ...firing, from: firing.cycle.from }));
}

describe('a backtest of a fleet whose lines change', () => {
  it('returns what the existing trigger fired, for every kind of trigger, despite moved, suspended and deleted lines', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.subarray(NAMES, { minLength: 1 }),
        Steps,
        async (startDay, names, steps) => {
          // Not at a full hour, when cycles close.
          const startMs = Date.UTC(2026, 0, 20 + startDay, 6, 17);
          const fleet = await makeFleet(startMs, names);
          const gone = new Set<string>();
          let nowMs = startMs;
          for (const { afterHours, step } of steps) {
            nowMs += afterHours * HOUR_MS;
            if (afterHours > 0) await fleet.advanceTo(iso(nowMs));
            if (step.kind === 'feed') {
              const records = step.usage
                .filter(({ line }) => !gone.has(line))
                .map(({ line, agoHours, bytes, shuffled }) => ({
                  id: `${shuffled}-${made++}`,
                  kind: 'imei',
                  device: line,
                  at: iso(nowMs - agoHours * HOUR_MS),
                  bytes,
                }));
              assert.equal((await fleet.world.operator('POST', '/usage', records)).statusCode, 200);
            } else if (gone.has(step.line)) continue;
            else if (step.kind === 'change')
              await fleet.world.import({
                devices: [{ imei: step.line, accountName: accountOf(step.line), ...step.change }],
              });
            else {
              gone.add(step.line);
              const answer = await fleet.world.operator('DELETE', `/devices/imei/${step.line}`);
              assert.equal(answer.statusCode, 200, answer.body);
            }
          }
          await fleet.advanceTo(iso(nowMs + 3 * DAY_MS));
          for (const name of names) {
            const live = sorted(await firedBy(fleet, name));
            assert.deepEqual(sorted(await replayed(fleet, name, startMs)), live, name);
          }
        },
      ),
      { numRuns: FLEETS, endOnFailure: true },
    );
  });
});
