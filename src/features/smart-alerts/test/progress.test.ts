import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EvaluableRule } from '../../device-management/index.ts';
import { applyReading, dueAtMs, passTime, type Transition, UNTOUCHED } from '../progress.ts';

const END = 60;

interface Plan {
  readonly forMs: number;
  readonly coolDownMs: number;
  readonly absentMs: number | undefined;
  readonly hasCondition: boolean;
  /** Cleared below 3, else below 5: the condition is 5 or more. */
  readonly hysteresis: boolean;
}

const ruleOf = ({ forMs, coolDownMs, absentMs, hasCondition, hysteresis }: Plan): EvaluableRule => {
  const level = (values: Readonly<Record<string, unknown>>) => values['t'] as number | undefined;
  const atLeast =
    (limit: number) =>
    ({ values }: { values: Readonly<Record<string, unknown>> }) => {
      const t = level(values);
      return t === undefined ? undefined : t >= limit;
    };
  const below = (limit: number) => (facts: { values: Readonly<Record<string, unknown>> }) => {
    const holds = atLeast(limit)(facts);
    return holds === undefined ? undefined : !holds;
  };
  return {
    evaluable: true,
    dialect: 'conditions',
    when: hasCondition ? atLeast(5) : undefined,
    clears: hasCondition ? below(hysteresis ? 3 : 5) : undefined,
    forMs,
    coolDownMs,
    absentMs,
    message: undefined,
    comparisons: [],
  };
};

/** Readings by time; undefined means that the reading lacks the field. */
type Readings = ReadonlyMap<number, number | undefined>;

/** Steps through every moment and evaluates the rule at each. */
function live(plan: Plan, readings: Readings): Transition[] {
  const transitions: Transition[] = [];
  let open: Transition['cause'] | undefined;
  let lastRaised: number | undefined;
  let lastReading = 0;
  let met: number | undefined;
  const raiseIfSo = (now: number) => {
    if (open !== undefined || (lastRaised !== undefined && now < lastRaised + plan.coolDownMs)) return;
    const held = met !== undefined && now - met >= plan.forMs;
    const absent = plan.absentMs !== undefined && now - lastReading >= plan.absentMs;
    if (!held && !absent) return;
    open = held ? 'condition' : 'absence';
    lastRaised = now;
    transitions.push({ to: 'raised', cause: open, atMs: now });
  };
  for (let now = 0; now <= END; now++) {
    raiseIfSo(now);
    if (!readings.has(now)) continue;
    const t = readings.get(now);
    const wasOpen = open;
    lastReading = now;
    const clears =
      open === 'absence' || (open === 'condition' && t !== undefined && t < (plan.hysteresis ? 3 : 5));
    if (clears) {
      transitions.push({ to: 'cleared', cause: open!, atMs: now });
      if (open === 'condition') met = undefined;
      open = undefined;
    }
    if (wasOpen === 'condition') continue;
    if (plan.hasCondition && t !== undefined) met = t >= 5 ? (met ?? now) : undefined;
    raiseIfSo(now);
  }
  return transitions;
}

const plan = fc.record({
  forMs: fc.integer({ min: 0, max: 8 }),
  coolDownMs: fc.integer({ min: 0, max: 12 }),
  absentMs: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  hasCondition: fc.boolean(),
  hysteresis: fc.boolean(),
});
const readings = fc
  .array(
    fc.tuple(fc.integer({ min: 0, max: END }), fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined })),
    {
      maxLength: 40,
    },
  )
  .map((list) => new Map(list.sort(([a], [b]) => a - b)));

function watchAll(plan: Plan, given: Readings, wakes: ReadonlySet<number>): Transition[] {
  const rule = ruleOf(plan);
  const transitions: Transition[] = [];
  let progress = UNTOUCHED;
  let quiet = 0;
  const wake = (now: number) => {
    const passed = passTime(rule, progress, quiet, now);
    progress = passed.progress;
    if (passed.transition) transitions.push(passed.transition);
  };
  for (let now = 0; now <= END; now++) {
    if (wakes.has(now)) wake(now);
    if (!given.has(now)) continue;
    const t = given.get(now);
    const seen = applyReading(rule, progress, quiet, {
      atMs: now,
      values: t === undefined ? {} : { t },
      before: {},
    });
    progress = seen.progress;
    transitions.push(...seen.transitions);
    quiet = now;
  }
  wake(END);
  return transitions;
}

describe('the progress of a rule', () => {
  it('raises and clears as if it were evaluated at every moment, however rarely it runs', () =>
    fc.assert(
      fc.property(plan, readings, fc.array(fc.integer({ min: 0, max: END })), (asked, given, wakes) => {
        assert.deepEqual(watchAll(asked, given, new Set(wakes)), live(asked, given));
      }),
      { numRuns: 500 },
    ));

  it('reports its due time: nothing is raised before it, and an alert is raised at it', () =>
    fc.assert(
      fc.property(plan, readings, (asked, given) => {
        const rule = ruleOf(asked);
        let progress = UNTOUCHED;
        let quiet = 0;
        for (const [atMs, t] of given) {
          ({ progress } = applyReading(rule, progress, quiet, {
            atMs,
            values: t === undefined ? {} : { t },
            before: {},
          }));
          quiet = atMs;
          const due = dueAtMs(rule, progress, quiet);
          if (due === undefined)
            assert.equal(passTime(rule, progress, quiet, Number.MAX_SAFE_INTEGER).transition, undefined);
          else {
            assert.equal(passTime(rule, progress, quiet, due - 1).transition, undefined);
            assert.equal(passTime(rule, progress, quiet, due).transition?.atMs, due);
          }
        }
      }),
    ));
});
