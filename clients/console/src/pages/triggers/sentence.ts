import { durationWords } from '../../text/action.ts';
import { type Draft, type Moves, PERCENTAGES, type Percentages, type PlanRow } from './form/draft.ts';

/** Stands for a field that is still empty. */
const GAP = '…';
const NAMED_MAX = 3;

/** Names of the plans and accounts in a trigger; absent until loaded. */
type Names =
  | {
      readonly plans: readonly { readonly code: string; readonly name: string }[];
      readonly accounts: readonly {
        readonly accountName: string;
        readonly organizationName: string | null;
      }[];
    }
  | undefined;

interface OfService {
  readonly serviceName: string;
  readonly thresholdValue: string;
  readonly allowExcess: boolean;
  readonly sendEmailNotification: boolean;
  readonly sendSmsNotification: boolean;
}

const listOf = (words: readonly string[], link: 'and' | 'or'): string =>
  words.length < 2 ? (words[0] ?? GAP) : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1)}`;

/** The plan's name and code. */
export function planWords(code: string, names: Names): string {
  if (code.trim() === '') return GAP;
  const name = names?.plans.find((plan) => plan.code === code.trim())?.name;
  return name === undefined || name === '' || name === code ? code : `${name} (${code})`;
}

export function accountWords(accountName: string, names: Names): string {
  const name = names?.accounts.find((account) => account.accountName === accountName)?.organizationName;
  return name == null || name === '' ? accountName : `${accountName} (${name})`;
}

function accountsWords(accounts: readonly string[], names: Names, link: 'and' | 'or'): string {
  if (accounts.length === 0) return `account ${GAP}`;
  const named = accounts.slice(0, NAMED_MAX).map((one) => accountWords(one, names));
  const more = accounts.length - named.length;
  const words = more > 0 ? [...named, `${more} more`] : named;
  return `${accounts.length === 1 ? 'account' : 'accounts'} ${listOf(words, link)}`;
}

const percentWords = (percentages: Percentages): string =>
  listOf(
    PERCENTAGES.filter((percent) => percentages[percent]).map((percent) => `${percent} %`),
    'or',
  );
const or = (text: string): string => (text.trim() === '' ? GAP : text.trim());
const months = (count: string): string => `${or(count)} billing ${count.trim() === '1' ? 'month' : 'months'}`;

const CYCLES: Readonly<Record<string, string>> = {
  Daily: 'in a day',
  Weekly: 'in a week',
  Monthly: 'in a billing month',
};

/** The usage that a line, or several lines together, must reach. */
function amountWords({ comparator, threshold, thresholdUnit, cycleType }: Draft, plural: boolean): string {
  const amount = `${or(threshold)} ${thresholdUnit} ${CYCLES[cycleType]}`;
  if (comparator === 'eq') return `${plural ? 'reach' : 'reaches'} ${amount}`;
  return `${plural ? 'use' : 'uses'} ${comparator === 'lt' ? 'less' : 'more'} than ${amount}`;
}

function payAsYouGoWords(draft: Draft, names: Names): string {
  const { conditionType, accounts, separateOrCombined } = draft;
  const plan = planWords(draft.plan, names);
  const any = accountsWords(accounts, names, 'or');
  if (conditionType === 'Individual') return `a line on ${plan} of ${any} ${amountWords(draft, false)}`;
  if (conditionType === 'Aging')
    return `a line of ${any} has been on ${plan} for ${months(draft.billCycles)}`;
  const isApart = conditionType === 'UsageAllowance' || separateOrCombined !== 'Combined';
  const whose = isApart ? any : accountsWords(accounts, names, 'and');
  const lines = `all lines on ${plan} of ${whose} together`;
  return conditionType === 'UsageAllowance'
    ? `${lines} have used ${percentWords(draft.percentages)} of their allowance in a billing month`
    : `${lines} ${amountWords(draft, true)}`;
}

const rowWords = ({ from, percent, percentages }: PlanRow, action: Draft['action'], names: Names): string =>
  `${action === 'notify' ? percentWords(percentages) : `${or(percent)} %`} of ${planWords(from, names)}`;
const moveWords = ({ from, to }: PlanRow, names: Names): string =>
  `from ${planWords(from, names)} to ${planWords(to, names)}`;

function poolMoves({ above, below }: Draft, group: string, names: Names): string {
  const moved = ({ rows, buffer }: Moves) =>
    `lines are moved ${listOf(
      rows.map((row) => moveWords(row, names)),
      'and',
    )} until ${or(buffer)} % is free`;
  const cases = [
    above.wanted && `the pool of ${group} is used up, ${moved(above)}`,
    below.wanted && `a billing month ends and the pool of ${group} is not used up, ${moved(below)}`,
  ].filter((one) => one !== false);
  return cases.length === 0 ? `the pool of ${group} ${GAP}` : cases.join('; when ');
}

function conditionWords(draft: Draft, names: Names): string {
  const { kind, action, rows } = draft;
  if (kind === 'payAsYouGo') return payAsYouGoWords(draft, names);
  const group = `rate plan group ${or(draft.groupId)}`;
  if (kind === 'shareLines')
    return `a line of ${group} has used ${listOf(
      rows.map((row) => rowWords(row, action, names)),
      'or',
    )}`;
  return action === 'changePlan'
    ? poolMoves(draft, group, names)
    : `the pool of ${group} is ${percentWords(draft.percentages)} used`;
}

function suspensionWords(draft: Draft, names: Names): string {
  const { kind, conditionType, suspendThreshold, suspendUnit, suspendFrom, accounts } = draft;
  const how = `${durationWords(draft.suspendDuration)}, ${draft.suspendOption === 'WithBilling' ? 'with' : 'without'} billing`;
  const from = suspendFrom.length === 0 ? accounts : suspendFrom;
  const only = suspendFrom.length === 0 ? '' : ` if it belongs to ${accountsWords(from, names, 'or')}`;
  if (kind !== 'payAsYouGo' || conditionType === 'Individual' || conditionType === 'Aging')
    return `the line is suspended${kind === 'payAsYouGo' ? only : ''} ${how}`;
  const beyond = conditionType === 'AccountLevel' ? `above ${or(suspendThreshold)} ${suspendUnit} ` : '';
  return `${beyond}all lines on the plan of ${accountsWords(from, names, 'and')} are suspended ${how}`;
}

function actionWords(draft: Draft, names: Names): string | undefined {
  const { kind, action, rows, triggerDate, toPlan } = draft;
  if (action === 'suspend') return suspensionWords(draft, names);
  if (action !== 'changePlan' || kind === 'sharePool') return undefined;
  if (kind === 'payAsYouGo') return `its plan is changed to ${planWords(toPlan, names)}`;
  const changes = listOf(
    rows.map((row) => moveWords(row, names)),
    'or',
  );
  return `its plan is changed ${changes}${triggerDate === 'BackDate' ? ', backdated' : ''}`;
}

const INTERVALS: Readonly<Record<string, string>> = { Hourly: 'hourly', Daily: 'daily', Weekly: 'weekly' };

function notificationWords(draft: Draft): string {
  const channels = [draft.callback && 'callback', draft.email && 'mail', draft.sms && 'SMS'].filter(
    (channel) => channel !== false,
  );
  if (channels.length === 0) return 'no one is notified';
  const when = draft.notificationType === 'DailySummary' ? 'once a day' : 'at once';
  const again =
    draft.reminder && draft.notificationType !== 'DailySummary'
      ? `, and reminded ${INTERVALS[draft.interval]} ${or(draft.reminders)} ${draft.reminders.trim() === '1' ? 'time' : 'times'}`
      : '';
  return `you are notified ${when} by ${listOf(channels, 'and')}${again}`;
}

/** Describes a price plan trigger in the form as a sentence. */
export function sentenceOf(draft: Draft, names: Names): string {
  const done = actionWords(draft, names);
  const then = done === undefined ? notificationWords(draft) : `${done}, and ${notificationWords(draft)}`;
  const isList = draft.kind === 'sharePool' && draft.action === 'changePlan';
  return `${draft.active ? '' : 'Switched off: '}When ${conditionWords(draft, names)}${isList ? '; ' : ', '}${then}.`;
}

/** Describes a trigger on service usage as a sentence. */
export function usageSentenceOf(trigger: OfService, accountName: string): string {
  const channels = [
    'callback',
    trigger.sendEmailNotification && 'mail',
    trigger.sendSmsNotification && 'SMS',
  ];
  const list = listOf(
    channels.filter((channel) => typeof channel === 'string'),
    'and',
  );
  const excess = trigger.allowExcess
    ? 'The service continues beyond 100 %.'
    : 'At 100 % the service stops until the month ends.';
  return `When account ${accountName} has used ${or(trigger.thresholdValue)} % of its ${trigger.serviceName} subscription, you are notified at once by ${list}. ${excess}`;
}
