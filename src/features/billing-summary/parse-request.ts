import { IsDate, IsDateTime } from 'typebox/format';
import { addDays, type LocalDay } from '../../kernel/bill-cycle.ts';
import { type Boundaries, type Calendar, calendarOf, dateOf } from '../../kernel/calendar.ts';
import { type DeviceIdKind, parseDeviceId, parseDeviceIdKind } from '../../kernel/device-id.ts';
import { addDuration } from '../../kernel/duration.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Account } from '../accounts/index.ts';
import { billingFaults } from './errors.ts';
import type { AggregateBody, BilledBody, BilledUsageBody, Label } from './schemas.ts';
import { type Asked, DEVICES_MAX, MONTHS_MAX, type NamedDevice, type Subject } from './summary-request.ts';

type Rated = Pick<Account, 'realTimeRating'>;

function checkCycle({ from, to }: BilledBody['billingCycle']): void {
  const months = (to.year - from.year) * 12 + to.month - from.month + 1;
  if (months < 1) refuse(billingFaults.badCycle, { reason: 'from is after to' });
  if (months > MONTHS_MAX)
    refuse(billingFaults.badCycle, { reason: `it has more than ${MONTHS_MAX} months` });
}

/** Usage by APN has no labels. */
function labelOrAll(label: Label | undefined, { realTimeRating }: Rated): Subject {
  if (label === undefined) return { wholeAccount: true };
  return realTimeRating ? refuse(billingFaults.labelWithApn) : { label };
}

/** Parses a request for the billing data summary, and refuses it for the first wrong field. */
export function parseBilled(body: BilledBody, account: Rated): Asked {
  const { billingCycle, deviceId, deviceIds, label } = body;
  if ([deviceId, deviceIds, label].filter((given) => given !== undefined).length > 1)
    refuse(billingFaults.conflict);
  if (body.lineLevel === undefined && deviceId === undefined) refuse(billingFaults.lineLevelMissing);
  if (deviceIds !== undefined && body.lineLevel !== true) refuse(billingFaults.lineLevelNeeded);
  const { from, to } = billingCycle;
  checkCycle(billingCycle);
  const lineLevel = body.lineLevel === true || deviceId !== undefined;
  const bill = { what: 'bill', from, to, lineLevel } as const;
  if (deviceId !== undefined) return { ...bill, subject: { devices: [parseDevice(deviceId, ONE_DEVICE)] } };
  if (deviceIds !== undefined)
    return { ...bill, subject: { devices: parseDevices(deviceIds, MANY_DEVICES) } };
  return { ...bill, subject: labelOrAll(label, account) };
}

/** Parses the older form of the request: one month, devices of any kind. */
export function parseBilledUsage(
  { billingCycle, deviceIds, labels }: BilledUsageBody,
  account: Rated,
): Asked {
  const [label] = labels ?? [];
  if (deviceIds !== undefined && label !== undefined) refuse(billingFaults.conflict);
  const month = { year: Number(billingCycle.year), month: Number(billingCycle.month) };
  const bill = { what: 'bill', from: month, to: month } as const;
  return deviceIds === undefined
    ? { ...bill, lineLevel: false, subject: labelOrAll(label, account) }
    : { ...bill, lineLevel: true, subject: { devices: parseDevices(deviceIds) } };
}

interface ParsedTime {
  readonly at: Date;
  readonly day: LocalDay;
}

/** A date without a time is a day in the account's time zone. */
export function parseTime(name: string, text: string, { dayAt }: Pick<Calendar, 'dayAt'>): ParsedTime {
  if (!IsDate(text) && !IsDateTime(text))
    refuse(billingFaults.badTime, { reason: `${name} is no day and no time with an offset` });
  const at = new Date(text);
  return { at, day: IsDate(text) ? text : dateOf(dayAt(at.getTime())) };
}

export const plusMonths = (at: Date, months: number): Date => addDuration(at, { months, ms: 0 });

const MONTHS_BACK = 6;

export function parseAggregate(body: AggregateBody, account: Boundaries, now: Date): Asked {
  const { deviceIds, label, groupName } = body;
  if (groupName !== undefined) refuse(billingFaults.noGroup);
  if (deviceIds !== undefined && label !== undefined) refuse(billingFaults.conflict);
  const calendar = calendarOf(account);
  const [start, end] = [
    parseTime('startTime', body.startTime, calendar),
    parseTime('endTime', body.endTime, calendar),
  ];
  if (end.at < start.at) refuse(billingFaults.badTime, { reason: 'startTime is after endTime' });
  if (start.at < plusMonths(now, -MONTHS_BACK))
    refuse(billingFaults.badTime, { reason: `startTime is more than ${MONTHS_BACK} months back` });
  if (end.at > plusMonths(start.at, 1))
    refuse(billingFaults.badTime, { reason: 'endTime is more than a month after startTime' });
  const days = { fromDay: start.day, toDay: addDays(end.day, 1) };
  const rest: Subject = label === undefined ? { wholeAccount: true } : { label };
  const subject = deviceIds === undefined ? rest : { devices: parseDevices(deviceIds) };
  return { what: 'usage', ...days, subject };
}

interface WireDevice {
  readonly id: string;
  readonly kind: string;
}

/** The kinds that a call accepts, and its rules beyond their usual shape. */
type Kinds = Partial<Record<DeviceIdKind, RegExp>>;

const ONE_DEVICE: Kinds = { eid: /^\d{32}$/, iccid: /^\d{18,22}$/ };
const MANY_DEVICES: Kinds = { imei: /^\d{15}$/ };

/** Accepts every kind if none are given. */
export function parseDevice({ id, kind: spelled }: WireDevice, kinds?: Kinds): NamedDevice {
  const kind = parseDeviceIdKind(spelled);
  if (kind === undefined || (kinds !== undefined && kinds[kind] === undefined))
    refuse(billingFaults.badKind, { reason: spelled });
  const known = parseDeviceId(kind, id);
  if (known === undefined || kinds?.[kind]?.test(known.value) === false)
    refuse(billingFaults.badIdentifier, { reason: `${spelled} ${id}` });
  return { ...known, spelled };
}

/** Each device once, even if it is named several times. */
function parseDevices(devices: readonly WireDevice[], kinds?: Kinds): readonly NamedDevice[] {
  if (devices.length === 0) refuse(billingFaults.noDevices);
  if (devices.length > DEVICES_MAX) refuse(billingFaults.tooManyDevices);
  const parsed = devices.map((device) => parseDevice(device, kinds));
  return [...new Map(parsed.map((device) => [`${device.kind} ${device.value}`, device])).values()];
}
