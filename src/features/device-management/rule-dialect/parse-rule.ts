import { parseDuration } from '../../../kernel/duration.ts';
import { fail, isObject, type Json, NotEvaluable, requireModest } from './chain.ts';
import { comparisonsOf } from './comparisons.ts';
import { isSmallForm, negated, parseConditions } from './conditions.ts';
import { parseJsonLogic } from './json-logic.ts';
import type { Condition, EvaluableRule, ReadRule } from './rule.ts';

const SYNTAX = 'json';
const AROUND = ['when', 'for', 'hysteresis', 'clearWhen', 'coolDown', 'absent', 'message'];
const DURATION_MAX_MS = 366 * 86_400_000;

function parseLimit(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const duration = typeof value === 'string' ? parseDuration(value) : undefined;
  if (duration === undefined) return fail(`${name} is not an ISO 8601 duration such as PT10M`);
  if (duration.months !== 0) return fail(`${name} may only contain weeks, days, hours, minutes and seconds`);
  return duration.ms <= DURATION_MAX_MS ? duration.ms : fail(`${name} is longer than 366 days`);
}

const parseCondition = (chain: unknown): Condition =>
  isSmallForm(chain) ? parseConditions(chain, 0) : parseJsonLogic(chain);

function parseMargin({ hysteresis, clearWhen }: Around, when: unknown): number {
  if (hysteresis === undefined || hysteresis === null) return 0;
  if (typeof hysteresis !== 'number' || hysteresis < 0)
    return fail('hysteresis is not a number of 0 or more');
  if (!isSmallForm(when)) return fail('hysteresis needs conditions on fields; with JsonLogic, use clearWhen');
  return clearWhen === undefined ? hysteresis : fail('hysteresis and clearWhen cannot be in one rule');
}

function parseMessage(message: unknown): string | undefined {
  if (message === undefined || message === null) return undefined;
  return typeof message === 'string' ? message : fail('message is not a text');
}

/** A chain is a condition, or an object with a condition under `when` and options next to it. */
const hasOptions = (chain: Json): boolean => 'when' in chain || 'absent' in chain;

interface Around {
  readonly when?: unknown;
  readonly for?: unknown;
  readonly hysteresis?: unknown;
  readonly clearWhen?: unknown;
  readonly coolDown?: unknown;
  readonly absent?: unknown;
  readonly message?: unknown;
}

function parseAround(chain: Around): EvaluableRule {
  const unknown = Object.keys(chain).find((name) => !AROUND.includes(name));
  if (unknown !== undefined) return fail(`${unknown} is not a member of a rule`);
  const when = chain.when ?? undefined;
  const absentMs = parseLimit('absent', chain.absent);
  if (when === undefined && absentMs === undefined) return fail('it has neither when nor absent');
  if (absentMs === 0) return fail('absent must be longer than 0');
  const margin = parseMargin(chain, when);
  const clearWhen = chain.clearWhen ?? undefined;
  if (clearWhen !== undefined && when === undefined) return fail('clearWhen needs when');
  const condition = when === undefined ? undefined : parseCondition(when);
  const holding = margin === 0 ? condition : parseConditions(when, margin);
  return {
    evaluable: true,
    dialect: when === undefined || isSmallForm(when) ? 'conditions' : 'JsonLogic',
    when: condition,
    clears: clearWhen === undefined ? holding && negated(holding) : parseCondition(clearWhen),
    forMs: parseLimit('for', chain.for) ?? 0,
    coolDownMs: parseLimit('coolDown', chain.coolDown) ?? 0,
    absentMs,
    message: parseMessage(chain.message),
    comparisons: comparisonsOf(when),
  };
}

/** Parses a rule, or returns why it cannot be evaluated. Never throws, whatever the chain is. */
export function parseRule(rulesyntax: unknown, rulechain: unknown): ReadRule {
  try {
    if (typeof rulesyntax !== 'string') return fail('rulesyntax is missing');
    if (rulesyntax.trim().toLowerCase() !== SYNTAX)
      return fail(`rulesyntax ${rulesyntax.slice(0, 40)} is stored only; ${SYNTAX} is evaluated`);
    requireModest(rulechain);
    if (!isObject(rulechain) || Object.keys(rulechain).length === 0) return fail('rulechain is empty');
    return parseAround(hasOptions(rulechain) ? rulechain : { when: rulechain });
  } catch (error) {
    if (error instanceof NotEvaluable) return { evaluable: false, reason: error.message };
    throw error;
  }
}

interface Evaluation {
  readonly active: boolean;
  /** Set for a rule that is evaluated. */
  readonly dialect?: 'conditions' | 'JsonLogic';
  /** Why the rule is inert. */
  readonly reason?: string;
}

/** The part of a rule query that says whether the rule is evaluated, otherwise the reason. */
export function describeEvaluation(record: {
  readonly disabled?: unknown;
  readonly rulesyntax?: unknown;
  readonly rulechain?: unknown;
}): Evaluation {
  if (record.disabled === true) return { active: false, reason: 'the rule is disabled' };
  const read = parseRule(record.rulesyntax, record.rulechain);
  return read.evaluable ? { active: true, dialect: read.dialect } : { active: false, reason: read.reason };
}
