import type { PastFiring, UsageTrigger } from '../../api/triggers.ts';
import { durationWords } from '../../text/action.ts';
import { formatNumber } from '../../text/format.ts';
import { type Draft, PERCENTAGES, type Percentages } from './form/draft.ts';

const percentWords = (percentages: Percentages): string =>
  PERCENTAGES.filter((percent) => percentages[percent])
    .map((percent) => `${percent} %`)
    .join(', ');

/** A short description of what the trigger counts. */
export function subjectWords({ kind, plan, groupId, accounts }: Draft): string {
  if (kind === 'sharePool') return `Pool of group ${groupId}`;
  if (kind === 'shareLines') return `Lines of group ${groupId}`;
  const count = accounts.length;
  return `${plan}${count > 1 ? `, ${formatNumber(count)} accounts` : ''}`;
}

const COMPARED: Readonly<Record<string, string>> = { gt: 'more than', lt: 'less than', eq: 'exactly' };
const CYCLES: Readonly<Record<string, string>> = { Daily: 'a day', Weekly: 'a week', Monthly: 'a month' };

export function conditionWords(draft: Draft): string {
  const { kind, conditionType, comparator, threshold, thresholdUnit, cycleType, rows, percentages } = draft;
  if (kind === 'sharePool')
    return draft.action === 'notify'
      ? `${percentWords(percentages)} of the pool used`
      : [draft.above.wanted && 'the pool is too small', draft.below.wanted && 'the pool is too large']
          .filter(Boolean)
          .join(', or ');
  if (kind === 'shareLines')
    return draft.action === 'notify'
      ? `A line used ${percentWords(rows[0]!.percentages)} of its plan`
      : `A line used ${rows[0]!.percent} % of its plan`;
  if (conditionType === 'UsageAllowance') return `${percentWords(percentages)} of the allowance used`;
  if (conditionType === 'Aging') return `On the plan for ${draft.billCycles} billing months`;
  const who =
    conditionType === 'Individual'
      ? 'A line'
      : draft.separateOrCombined === 'Combined'
        ? 'All accounts'
        : 'An account';
  return `${who} used ${COMPARED[comparator]} ${threshold} ${thresholdUnit} ${CYCLES[cycleType]}`;
}

export function actionWords({ kind, action, suspendDuration, toPlan }: Draft): string {
  if (action === 'notify') return 'Notifies';
  if (action === 'suspend') return `Suspends ${durationWords(suspendDuration)}`;
  return kind === 'payAsYouGo' ? `Changes to ${toPlan}` : 'Changes plans';
}

export function pastActionWords({ action, late }: PastFiring): string {
  if (late) return 'Notifies only: the cycle had closed';
  if (action.type === 'suspend')
    return `Suspends ${durationWords(action.suspendDuration ?? '')}${action.fromAccounts === undefined ? '' : `, all lines of ${action.fromAccounts.length} accounts`}`;
  if (action.type !== 'changePlan') return 'Notifies';
  return action.moves === undefined
    ? `Changes to ${action.toCarrierServicePlanCode}`
    : `Moves ${action.moves.map(({ fromCarrierCode, toCarrierCode }) => `${fromCarrierCode} → ${toCarrierCode}`).join(', ')}`;
}

export function recipientWords(trigger: UsageTrigger): string {
  const recipients = [
    trigger.sendEmailNotification && trigger.emailAddresses,
    trigger.sendSmsNotification && trigger.smsPhoneNumbers,
  ].filter(Boolean);
  return ['Callback', ...recipients].join(', ').replaceAll(/,(?=\S)/g, ', ');
}
