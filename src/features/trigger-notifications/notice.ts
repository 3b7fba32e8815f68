import type { Notification } from '../notifications/index.ts';
import { consequence } from './consequence.ts';
import type { Facts } from './facts.ts';
import type { NotifiedFiring, NotifiedTrigger } from './notified-firing.ts';
import { counterText, cycleText, firedText, subjectText, thresholdText, timeIn, zoneOf } from './words.ts';

/** At most this many in one mail: a fleet that crosses a threshold at once causes one message, not thousands. */
export const SUBJECTS_LISTED = 50;

/** One message to people about what a trigger fired for in one batch or on one day. */
export interface Notice {
  readonly trigger: NotifiedTrigger;
  /** At least one, in the order in which they fired. */
  readonly firings: readonly NotifiedFiring[];
  /** How many further subjects fired. */
  readonly unlisted: number;
  /** Why it is sent, if not because of the firing itself: a reminder or a summary. */
  readonly occasion?: string;
  readonly dedupeKey: string;
}

interface Grouped {
  readonly subjects: readonly (readonly NotifiedFiring[])[];
  readonly count: number;
}

function group({ firings, unlisted }: Notice): Grouped {
  const subjects = [...Map.groupBy(firings, ({ subject }) => subject).values()];
  return { subjects: subjects.slice(0, SUBJECTS_LISTED), count: subjects.length + unlisted };
}

/** The highest level that was passed decides the consequence. */
const highest = (levels: readonly NotifiedFiring[]): NotifiedFiring => levels.at(-1)!;

/** Marks that apply to all of the firings. */
const markOf = (firings: readonly NotifiedFiring[]): string =>
  [
    firings.every(({ late }) => late) ? ' (late)' : '',
    firings.every(({ cause }) => cause === 'planChange') ? ' (by a change of plan)' : '',
  ].join('');

function subjectLine(notice: Notice, { subjects, count }: Grouped, facts: Facts): string {
  const { trigger, occasion, firings } = notice;
  const what = count === 1 ? firedText(highest(subjects[0]!), facts) : `${count} have reached it`;
  const why = occasion === undefined ? '' : `${occasion}: `;
  return `[${trigger.notifies.severity}] ${why}${trigger.triggerName}: ${what}${markOf(firings)}`;
}

/** The consequence is stated when it fires, but not again later, when it may already have happened. */
const consequenceText = ({ occasion }: Notice, firing: NotifiedFiring, facts: Facts): string =>
  occasion === undefined ? consequence(firing, facts) : '';

const inDetail = (notice: Notice, levels: readonly NotifiedFiring[], facts: Facts): string[] => {
  const last = highest(levels);
  const zone = zoneOf(facts, last);
  return [
    `Fired for:  ${subjectText(last, facts)}`,
    `Account:    ${last.accountName}`,
    `Counter:    ${counterText(last)}`,
    `Threshold:  ${levels.map(thresholdText).join('; ')}`,
    `Cycle:      ${cycleText(last, facts)}`,
    `Fired at:   ${timeIn(zone, last.firedAt)} ${zone}`,
    '',
    consequenceText(notice, last, facts),
  ];
};

const inOneLine = (notice: Notice, levels: readonly NotifiedFiring[], facts: Facts): string => {
  const last = highest(levels);
  return `- ${subjectText(last, facts)}${markOf(levels)}: ${counterText(last)}, threshold ${levels.map(thresholdText).join('; ')}. ${consequenceText(notice, last, facts)}`.trimEnd();
};

function inLines(notice: Notice, { subjects, count }: Grouped, facts: Facts): string[] {
  const more = count - subjects.length;
  const cycles = new Set(subjects.map((levels) => cycleText(highest(levels), facts)));
  return [
    `Fired for ${count}, account ${subjects[0]![0]!.accountName} first.`,
    ...[...cycles].map((cycle) => `Cycle:      ${cycle}`),
    '',
    ...subjects.map((levels) => inOneLine(notice, levels, facts)),
    ...(more > 0 ? ['', `And ${more} more.`] : []),
  ];
}

const addressed = ({ trigger, firings, dedupeKey }: Notice) => ({
  accountName: firings[0]!.accountName,
  triggerId: trigger.triggerId,
  dedupeKey,
});

function mailOf(notice: Notice, facts: Facts): Notification {
  const { trigger, occasion } = notice;
  const { notifies } = trigger;
  const grouped = group(notice);
  const people = facts.notificationGroups.get(notifies.groupName ?? '');
  return {
    ...addressed(notice),
    channel: 'mail',
    to: [...notifies.emailRecipients, ...(people?.emails ?? [])],
    subject: subjectLine(notice, grouped, facts),
    text: [
      `${occasion === undefined ? '' : `${occasion}. `}Price plan trigger "${trigger.triggerName}" has fired, severity ${notifies.severity}.`,
      '',
      ...(grouped.count === 1
        ? inDetail(notice, grouped.subjects[0]!, facts)
        : inLines(notice, grouped, facts)),
      '',
      `Trigger:    ${trigger.triggerId}`,
      '',
    ].join('\n'),
  };
}

function smsOf(notice: Notice, facts: Facts): Notification {
  const { trigger, occasion, firings } = notice;
  const { notifies } = trigger;
  const { subjects, count } = group(notice);
  const last = highest(subjects[0]!);
  const people = facts.notificationGroups.get(notifies.groupName ?? '');
  const why = occasion === undefined ? '' : `${occasion}, `;
  const more = count > 1 ? ` And ${count - 1} more.` : '';
  return {
    ...addressed(notice),
    channel: 'sms',
    to: [...notifies.smsNumbers.map(({ number }) => number), ...(people?.phones ?? [])],
    text: `${why}${notifies.severity}, ${trigger.triggerName}${markOf(firings)}: ${firedText(last, facts)}; cycle ${cycleText(last, facts)}.${more} ${consequenceText(notice, last, facts)}`.trimEnd(),
  };
}

/** The mail and the SMS that the trigger sends. */
export const noticesOf = (notice: Notice, facts: Facts): Notification[] => [
  ...(notice.trigger.notifies.email ? [mailOf(notice, facts)] : []),
  ...(notice.trigger.notifies.sms ? [smsOf(notice, facts)] : []),
];
