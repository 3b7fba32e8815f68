import { forZone } from '../../kernel/time-zones.ts';
import { type Facts, lineName } from './facts.ts';
import {
  allowanceOf,
  counterOwner,
  cycleTypeOf,
  isBelow,
  type NotifiedFiring,
  unitOf,
} from './notified-firing.ts';

const formatIn = forZone(
  (timeZone) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' }),
);

export const zoneOf = (
  { zones }: Pick<Facts, 'zones'>,
  { accountName }: Pick<NotifiedFiring, 'accountName'>,
) => zones.get(accountName) ?? 'UTC';

/** A cache of the newest times: thousands of firings share the cycle that they name, and formatting takes about 7 µs each. */
const texts = new Map<string, string>();
const TEXTS_MAX = 1_000;

export function timeIn(timeZone: string, at: Date): string {
  const key = `${at.getTime()} ${timeZone}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = formatIn(timeZone).format(at).replace(',', '');
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(key, text);
  return text;
}

/** At most two decimals, without trailing zeros. */
const short = (value: number): string => String(Math.floor(value * 100) / 100);

/** The subject of the firing. */
export function subjectText(firing: NotifiedFiring, facts: Facts): string {
  const { rule } = firing.trigger;
  const watched = counterOwner(rule);
  if (watched === 'line') return `line ${lineName(facts, firing)} of account ${firing.accountName}`;
  if (rule.kind === 'groupSharePool') return `the pool of rate plan group ${rule.ratePlanGroupId}`;
  if (watched === 'accounts' && rule.kind === 'payAsYouGo')
    return `accounts ${rule.accountNames.slice(0, 3).join(', ')}${rule.accountNames.length > 3 ? ' and others' : ''} together`;
  return `account ${firing.accountName}`;
}

const isPercent = ({ levelKind }: NotifiedFiring) => levelKind === 'percent' || levelKind === 'poolBelow';

/** The counter, in the words of the trigger. */
export function counterText(firing: NotifiedFiring): string {
  const { levelKind, after, level, threshold } = firing;
  if (levelKind === 'billCycles') return `${after} bill cycles on the plan`;
  if (isPercent(firing))
    return `${short((after * level) / threshold)} % (${after} of ${allowanceOf(firing)} bytes)`;
  const { unit, bytes } = unitOf(firing) ?? { unit: 'bytes', bytes: 1 };
  return `${short(after / bytes)} ${unit} (${after} bytes)`;
}

const COMPARED = { gt: 'more than', lt: 'less than', eq: 'reached' } as const;

export function thresholdText(firing: NotifiedFiring): string {
  const { level, levelKind, trigger } = firing;
  if (levelKind === 'billCycles') return `${level} bill cycles`;
  if (isPercent(firing)) return `${isBelow(firing) ? 'less than ' : ''}${level} % of the allowance`;
  const { rule } = trigger;
  const compared =
    levelKind === 'bytes' && rule.kind === 'payAsYouGo' && 'comparator' in rule.condition
      ? COMPARED[rule.condition.comparator]
      : COMPARED.gt;
  const { unit, bytes } = unitOf(firing) ?? { unit: 'bytes', bytes: 1 };
  return `${compared} ${short(level / bytes)} ${unit}`;
}

/** In the account's zone. */
export function cycleText(firing: NotifiedFiring, facts: Facts): string {
  const zone = zoneOf(facts, firing);
  const { from, to } = firing.cycle;
  const type = cycleTypeOf(firing.trigger.rule);
  return `${type === undefined ? '' : `${type}, `}${timeIn(zone, from)} to ${timeIn(zone, to)} ${zone}`;
}

/** What happened, without the consequence. */
export const firedText = (firing: NotifiedFiring, facts: Facts): string =>
  `${subjectText(firing, facts)}: ${counterText(firing)}, threshold ${thresholdText(firing)}`;
