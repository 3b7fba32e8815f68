import type { Firing } from '../api/overview.ts';
import { formatBytes, formatNumber } from './format.ts';

const DEVICE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isDevice = (subject: string): boolean => DEVICE_ID.test(subject);

type Counted = Pick<Firing, 'kind' | 'levelKind'>;

/** A counter or a threshold: bytes, uses of a service, or billing months. */
export const formatCounted = ({ kind, levelKind }: Counted, value: number): string =>
  kind === 'usage' || levelKind === 'billCycles' ? formatNumber(value) : formatBytes(value);

/** The level, in words. */
export function levelWords({
  kind,
  levelKind,
  level,
  threshold,
}: Counted & Pick<Firing, 'level' | 'threshold'>): string {
  const number = formatNumber(level);
  if (levelKind === 'billCycles') return `${number} billing ${level === 1 ? 'month' : 'months'}`;
  const counted = formatCounted({ kind, levelKind }, threshold);
  if (levelKind === 'poolBelow') return `less than ${counted}`;
  return levelKind === 'percent' ? `${number} % (${counted})` : counted;
}

/** Why a trigger fired, in a few words. */
export function reasonOf(firing: Counted & Pick<Firing, 'level' | 'threshold' | 'after'>): string {
  const { kind, levelKind, level, threshold, after } = firing;
  const number = (value: number) => formatCounted(firing, value);
  if (levelKind === 'percent') {
    const counted = kind === 'usage' ? `${number(after)} of ${number(threshold)}` : number(after);
    return `${formatNumber(level)} % reached: ${counted}`;
  }
  if (levelKind === 'billCycles') return `${formatNumber(level)} billing months passed`;
  if (levelKind === 'poolBelow') return `${number(after)} left, below ${number(threshold)}`;
  return after < threshold
    ? `${number(after)} used, less than ${number(threshold)}`
    : `${number(after)} used, beyond ${number(threshold)}`;
}

/** What caused the counter to cross the level. */
export function crossedBy({
  usageRecordId,
  usageRecordSource: source,
  cause,
}: Pick<Firing, 'usageRecordId' | 'usageRecordSource' | 'cause'>): string {
  if (usageRecordId !== null)
    return source === undefined ? `record ${usageRecordId}` : `record ${usageRecordId} of ${source}`;
  return cause === 'planChange' ? 'usage moved by a plan change' : 'the end of the cycle';
}

const KINDS = { usage: 'Service trigger', pricePlan: 'Price plan trigger' } as const;

/** The name of the trigger if the viewer may know it, else its kind. */
export const firedBy = ({
  kind,
  triggerName,
  isThere,
}: Pick<Firing, 'kind' | 'triggerName' | 'isThere'>): string =>
  triggerName === undefined ? KINDS[kind] : isThere === false ? `${triggerName} (deleted)` : triggerName;

/** The subject in words; a line by its name. */
export const firedFor = (firing: Pick<Firing, 'subject' | 'accountName' | 'deviceName'>): string =>
  isDevice(firing.subject) ? (firing.deviceName ?? firing.subject) : subjectWords(firing);

/** The subject in words, when it is not a line. */
export function subjectWords({ subject, accountName }: Pick<Firing, 'subject' | 'accountName'>): string {
  if (subject === 'combined') return 'All accounts together';
  if (subject.startsWith('group ')) return `Pool of ${subject}`;
  return subject === '' || subject === accountName ? `Account ${accountName}` : subject;
}
