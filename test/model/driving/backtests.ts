import assert from 'node:assert/strict';
import type { Rule } from '../case.ts';
import { type Difference, without } from '../compare.ts';
import type { Row } from '../outcome.ts';
import { DAY_MS } from '../reference/calendar.ts';
import type { State, Trigger } from '../reference/state.ts';
import type { Played } from './play.ts';
import type { Answered } from './read-outcome.ts';
import { toWireRule } from './wire.ts';

const DAYS_MAX = 92;

/** Triggers that existed before any usage and have not changed since. */
const unchanged = ({ case: { steps }, triggers }: State): readonly Trigger[] => {
  const used = steps.findIndex(({ do: what }) => what === 'feed' || what === 'feeds');
  const first = new Set(
    steps.slice(0, Math.max(0, used)).flatMap((step) => (step.do === 'create' ? step.name : [])),
  );
  // A back-test takes the accounts of a group in their current order.
  const isReordered = steps.some(({ do: what }) => what === 'reorder');
  return triggers.filter(
    ({ name, version, rule }) =>
      first.has(name) && version === 1 && !(isReordered && rule.kind.startsWith('pool')),
  );
};

/** No bill cycle is longer. */
const CYCLE_DAYS_MAX = 31;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The last day that the firing concerns: the day of its record, or the last day of its cycle. */
function dayOf(state: State, { record, cause, at, to }: Row): string {
  // Moved usage occurred on days of the cycle that neither side reports.
  if (cause !== null) return toDay(Date.parse(String(at)) - CYCLE_DAYS_MAX * DAY_MS);
  const entry = state.ledger.find(({ id }) => id === record);
  return entry?.day ?? toDay(Date.parse(String(to)) - 1);
}

/** A level fires once in a cycle, also if that was before the period. A back-test does not know firings on another plan. */
const levelOf = ({ subject, kind, level, from }: Row): string => [subject, kind, level, from].join(' ');

/** The common part of a back-test and a firing. */
const common = ({
  subject,
  account,
  kind,
  level,
  threshold,
  from,
  to,
  before,
  after,
  record,
  cause,
  late,
  at,
}: Row): Row => ({
  subject,
  account,
  kind,
  level,
  threshold,
  from,
  to,
  before,
  after,
  record,
  cause,
  late,
  at,
});

const toRow = ({ names }: Played, firing: Answered): Row =>
  common({
    ...firing,
    subject: names.fromSubject(firing.subject),
    account: names.fromAccount(firing.accountName),
    kind: firing.levelKind,
    record: firing.usageRecordId,
    cause: firing.cause ?? null,
    ...firing.cycle,
  });

async function ask(
  played: Played,
  rule: Rule,
  period: { from: string; to: string },
): Promise<readonly Row[]> {
  const { stage, names } = played;
  const answer = await stage.call('POST', '/m2m/v2/triggers/actions/backtest', {
    ecpdId: names.ecpdId,
    pricePlanTrigger: toWireRule(rule, names),
    period,
  });
  assert.equal(answer.statusCode, 200, answer.body);
  const { firings, truncated } = answer.json();
  assert.equal(truncated, false);
  return firings.map((firing: Answered) => toRow(played, firing));
}

/** For each trigger in force all the time: the result of a back-test of its rule, and the real firings. */
export async function compareBacktests(played: Played, state: State): Promise<readonly Difference[]> {
  const last = state.now + DAY_MS;
  const period = { from: toDay(last - (DAYS_MAX - 1) * DAY_MS), to: toDay(last) };
  // A back-test evaluates what began before the period only from the first day: what closed near that day cannot be compared.
  const from = toDay(Date.parse(period.from) + 2 * DAY_MS);
  const differences: Difference[] = [];
  for (const { name, rule, createdAt } of unchanged(state)) {
    const said = await ask(played, rule, period);
    // A back-test also reports cycles that closed before the trigger was created, or at that moment.
    const isBefore = ({ at }: Row) => Date.parse(String(at)) <= createdAt;
    const fired = state.outcome.firings.filter(({ trigger }) => trigger === name).map(common);
    const early = fired.filter((row) => dayOf(state, row) < from);
    const firedEarlier = new Set(early.map(levelOf));
    // It reports a line's age once, in the first cycle that it evaluates: too early to compare, or after the line has fired.
    const aged =
      rule.kind === 'aging' ? [...said.filter(isBefore), ...early].map(({ subject }) => subject) : [];
    const isAsked = (row: Row) =>
      dayOf(state, row) >= from &&
      !isBefore(row) &&
      !aged.includes(row['subject']) &&
      !firedEarlier.has(levelOf(row));
    const expected = fired.filter(isAsked);
    const actual = said.filter(isAsked);
    const tagged = (rows: readonly Row[]) => rows.map((row) => ({ trigger: name, ...row }));
    differences.push({
      list: 'backtests',
      expected: tagged(without(expected, actual)),
      actual: tagged(without(actual, expected)),
    });
  }
  return differences.filter(({ expected, actual }) => expected.length + actual.length > 0);
}
