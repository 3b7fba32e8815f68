import { addDays } from '../../kernel/bill-cycle.ts';
import { calendarOf, dateOf } from '../../kernel/calendar.ts';
import { toZonedText } from '../../kernel/zoned-time.ts';
import type { Ctx, Principal, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import type { Account } from '../accounts/index.ts';
import { findDeviceKey } from '../devices/index.ts';
import { listUsageDays } from '../usage/index.ts';
import { billingFaults } from './errors.ts';
import { parseDevice, parseTime, plusMonths } from './parse-request.ts';
import type { UsageListBody } from './schemas.ts';
import { findLinesByIdentifier, listLinesByLabel } from './sql-line.ts';
import { DEVICES_MAX, MONTHS_MAX } from './summary-request.ts';

/** Entries (one per day and plan) in one answer. */
const ENTRIES_MAX = 1_000;
/** Text messages are not counted. */
const NO_SMS = ['MoSms', 'MtSms'].map((key) => ({ key, value: '0' }));

async function findDevices({ db }: Ctx, account: Account, { deviceId, label }: UsageListBody) {
  if (deviceId !== undefined && label !== undefined) refuse(billingFaults.conflict);
  if (label !== undefined) {
    const page = { after: undefined, limit: DEVICES_MAX + 1 };
    const lines = await listLinesByLabel(db, account, label, page);
    if (lines.length > DEVICES_MAX) refuse(billingFaults.tooManyDevices);
    return lines;
  }
  if (deviceId === undefined) return refuse(billingFaults.noDevices);
  return findLinesByIdentifier(db, account, [parseDevice(deviceId)]);
}

/** The daily usage of a device, or of all devices with a label, in days of the account's time zone. */
export async function listUsage(ctx: Ctx, account: Account, body: UsageListBody) {
  const calendar = calendarOf(account);
  const [earliest, latest] = [
    parseTime('earliest', body.earliest, calendar),
    parseTime('latest', body.latest, calendar),
  ];
  if (latest.at < earliest.at) refuse(billingFaults.badTime, { reason: 'earliest is after latest' });
  if (latest.at > plusMonths(earliest.at, MONTHS_MAX))
    refuse(billingFaults.badTime, { reason: `latest is more than ${MONTHS_MAX} months after earliest` });
  const lines = await findDevices(ctx, account, body);
  if (lines.length === 0) refuse(billingFaults.deviceNotFound);
  // No usage is later than today, and the day after the last one must be a valid date.
  const today = dateOf(calendar.dayAt(ctx.now().getTime()));
  const to = addDays(latest.day < today ? latest.day : today, 1);
  const span = calendar.datesOf({ from: earliest.day, to });
  const ids = lines.map(({ deviceId }) => deviceId);
  const days = await listUsageDays(ctx.db, account, span, ids, ENTRIES_MAX + 1);
  const hasMoreData = days.length > ENTRIES_MAX;
  // Whole days only: the client continues with a later day.
  const cut = hasMoreData ? days.filter(({ day }) => day !== days[ENTRIES_MAX]!.day) : days;
  return {
    hasMoreData,
    usageHistory: cut.map(({ day, planCode, bytes }) => ({
      bytesUsed: BigInt(bytes),
      extendedAttributes: NO_SMS,
      servicePlan: planCode,
      smsUsed: 0,
      source: 'Raw Usage',
      timestamp: toZonedText(new Date(calendar.startOf(day)), account.timeZone),
    })),
  };
}

/** The account of the device, if it is one of the session's. Any other device is reported like an unknown one. */
export async function findAccountOfDevice(
  { db }: Ctx,
  { accounts }: Principal,
  { deviceId }: UsageListBody,
): Promise<Tenant> {
  const key = deviceId && (await findDeviceKey(db, parseDevice(deviceId)));
  if (key === undefined || accounts.get(key.accountName) !== key.ecpdId)
    return refuse(billingFaults.deviceNotFound);
  return { ecpdId: key.ecpdId, accountName: key.accountName };
}
