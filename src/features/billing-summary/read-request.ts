import { IsDate, IsDateTime } from 'typebox/format';
import { addDays, type DayFinder, dayFinder, type LocalDay } from '../../kernel/bill-cycle.ts';
import { addDuration } from '../../kernel/duration.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Account } from '../accounts/index.ts';
import { billingFaults } from './errors.ts';
import { MANY_DEVICES, ONE_DEVICE, readDevice, readDevices } from './read-device.ts';
import type { AggregateBody, BilledBody, BilledUsageBody } from './schemas.ts';
import { type Asked, type Label, MONTHS_MAX, type Month, type Subject } from './summary-request.ts';

const monthsFrom = (from: Month, to: Month): number => (to.year - from.year) * 12 + to.month - from.month + 1;

function checkCycle(from: Month, to: Month): void {
  const months = monthsFrom(from, to);
  if (months < 1) refuse(billingFaults.badCycle, { reason: 'from is after to' });
  if (months > MONTHS_MAX)
    refuse(billingFaults.badCycle, { reason: `it has more than ${MONTHS_MAX} months` });
}

/** Usage by APN knows no labels. */
function labelled(label: Label, { realTimeRating }: Pick<Account, 'realTimeRating'>): Subject {
  if (realTimeRating) refuse(billingFaults.labelWithApn);
  return { label };
}

/** The billing data summary; what is wrong with it is refused, in the order of its fields. */
export function readBilled(body: BilledBody, account: Pick<Account, 'realTimeRating'>): Asked {
  const { billingCycle, deviceId, deviceIds, label } = body;
  if ([deviceId, deviceIds, label].filter((given) => given !== undefined).length > 1)
    refuse(billingFaults.conflict);
  if (body.lineLevel === undefined && deviceId === undefined) refuse(billingFaults.lineLevelMissing);
  if (deviceIds !== undefined && body.lineLevel !== true) refuse(billingFaults.lineLevelNeeded);
  const { from, to } = billingCycle;
  checkCycle(from, to);
  const bill = {
    what: 'bill',
    from,
    to,
    lineLevel: body.lineLevel === true || deviceId !== undefined,
  } as const;
  if (deviceId !== undefined) return { ...bill, subject: { devices: [readDevice(deviceId, ONE_DEVICE)] } };
  if (deviceIds !== undefined) return { ...bill, subject: { devices: readDevices(deviceIds, MANY_DEVICES) } };
  return { ...bill, subject: label === undefined ? { wholeAccount: true } : labelled(label, account) };
}

/** Its ancestor: one month, devices of any kind. */
export function readBilledUsage(
  { billingCycle, deviceIds, labels }: BilledUsageBody,
  account: Pick<Account, 'realTimeRating'>,
): Asked {
  const [label] = labels ?? [];
  if (deviceIds !== undefined && label !== undefined) refuse(billingFaults.conflict);
  const month = { year: Number(billingCycle.year), month: Number(billingCycle.month) };
  const bill = { what: 'bill', from: month, to: month } as const;
  if (deviceIds !== undefined)
    return { ...bill, lineLevel: true, subject: { devices: readDevices(deviceIds) } };
  const subject: Subject = label === undefined ? { wholeAccount: true } : labelled(label, account);
  return { ...bill, lineLevel: false, subject };
}

export interface ReadTime {
  readonly at: Date;
  readonly day: LocalDay;
}

/** A day alone is one of the account, wherever that is. */
export function readTime(name: string, text: string, { dayAt }: Pick<DayFinder, 'dayAt'>): ReadTime {
  if (!IsDate(text) && !IsDateTime(text))
    refuse(billingFaults.badTime, { reason: `${name} is no day and no time with an offset` });
  const at = new Date(text);
  return { at, day: IsDate(text) ? text : dayAt(at.getTime()) };
}

export const plusMonths = (at: Date, months: number): Date => addDuration(at, { months, ms: 0 });

const MONTHS_BACK = 6;

export function readAggregate(body: AggregateBody, account: Pick<Account, 'timeZone'>, now: Date): Asked {
  const { deviceIds, label, groupName } = body;
  if (groupName !== undefined) refuse(billingFaults.noGroup);
  if (deviceIds !== undefined && label !== undefined) refuse(billingFaults.conflict);
  const zone = dayFinder(account.timeZone);
  const [start, end] = [readTime('startTime', body.startTime, zone), readTime('endTime', body.endTime, zone)];
  if (end.at < start.at) refuse(billingFaults.badTime, { reason: 'startTime is after endTime' });
  if (start.at < plusMonths(now, -MONTHS_BACK))
    refuse(billingFaults.badTime, { reason: `startTime is more than ${MONTHS_BACK} months back` });
  if (end.at > plusMonths(start.at, 1))
    refuse(billingFaults.badTime, { reason: 'endTime is more than a month after startTime' });
  const days = { fromDay: start.day, toDay: addDays(end.day, 1) };
  if (deviceIds !== undefined)
    return { what: 'usage', ...days, subject: { devices: readDevices(deviceIds) } };
  return { what: 'usage', ...days, subject: label === undefined ? { wholeAccount: true } : { label } };
}
