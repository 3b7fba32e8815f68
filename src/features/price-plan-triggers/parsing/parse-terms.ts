import {
  DATA_UNITS,
  type DataUnit,
  PERCENTAGES,
  type Percentage,
  type SuspendDuration,
  type Suspension,
  type Threshold,
} from '../rule.ts';
import {
  at,
  fail,
  isAbsent,
  isTrue,
  optional,
  type Place,
  parseChoice,
  parseInteger,
  parseText,
} from './parse-values.ts';

const BYTES: Readonly<Record<DataUnit, number>> = {
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};

export const parsePlanCode = parseText(64);
/** A percentage of an allowance; more than ten times the allowance is of no use. */
export const parsePercent = parseInteger(1, 1_000);

const parseUnit = parseChoice(DATA_UNITS);

/**
 * Counters are compared with it in bytes, so the bytes must be exact. Without a default, the unit is required. Only usage
 * that must be greater can have the threshold 0: no usage is below it, and none passes it.
 */
export function parseThreshold(
  holder: Place,
  { min, unitIfAbsent }: { readonly min: 0 | 1; readonly unitIfAbsent?: DataUnit },
): Threshold {
  const place = at(holder, 'thresholdUnit');
  const unit = unitIfAbsent !== undefined && isAbsent(place) ? unitIfAbsent : parseUnit(place);
  const value = parseInteger(min, Math.floor(Number.MAX_SAFE_INTEGER / BYTES[unit]))(at(holder, 'threshold'));
  return { value, unit, bytes: value * BYTES[unit] };
}

/** Lowest first; empty if no flag is true. */
export const findPercentages = (...holders: readonly Place[]): readonly Percentage[] =>
  PERCENTAGES.filter((percent) => holders.some((holder) => isTrue(at(holder, `percentage${percent}`))));

export function parsePercentages(holder: Place): readonly Percentage[] {
  const percentages = findPercentages(holder);
  return percentages.length > 0 ? percentages : fail(holder, NONE_SET);
}

export const NONE_SET = 'needs at least one of percentage50, percentage75, percentage90 and percentage100';

const DURATIONS = { '30': 30, '60': 60, '90': 90, NextBillCycle: 'NextBillCycle' } as const;
const parseDurationText = parseChoice(['30', '60', '90', 'NextBillCycle']);

/** Clients send the days as text or as a number. */
const parseDuration = ({ path, value }: Place): SuspendDuration =>
  DURATIONS[parseDurationText({ path, value: typeof value === 'number' ? String(value) : value })];

/** Both fields are required: whether a suspended line is still billed must not be guessed. */
export const parseSuspension = (holder: Place): Suspension => ({
  duration: parseDuration(at(holder, 'suspendDuration')),
  withBilling: parseChoice(['WithBilling', 'WithoutBilling'])(at(holder, 'suspendOption')) === 'WithBilling',
});

export const parseEffective = (holder: Place): 'CurrentDate' | 'BackDate' =>
  optional(at(holder, 'triggerDate'), parseChoice(['CurrentDate', 'BackDate'])) ?? 'CurrentDate';
