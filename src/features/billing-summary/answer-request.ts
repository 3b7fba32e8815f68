import { billMonthStart, type CountedDays, calendarOf, dateOf } from '../../kernel/calendar.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { FaultKind } from '../../platform/context/fault.ts';
import { exactNumber } from '../../platform/json/exact-json.ts';
import type { Account } from '../accounts/index.ts';
import { aggregateUsage, type DeviceRef, failed } from '../callback-payloads/index.ts';
import { toDeviceFault } from '../carrier-requests/index.ts';
import {
  type BilledBy,
  billAccount,
  billDevices,
  billLines,
  findLedgerStart,
  NOTHING_BILLED,
  sumUsageOfDevices,
} from '../usage/index.ts';
import { billingFaults } from './errors.ts';
import { findLines } from './find-lines.ts';
import { listLinesByLabel } from './sql-line.ts';
import { type Asked, type Cursor, DEVICES_MAX } from './summary-request.ts';
import { toSummaries } from './wire.ts';

/** The messages of one step of a request, and where the next step continues. */
export interface Step {
  readonly payloads: readonly object[];
  readonly next?: Pick<Cursor, 'done' | 'after'> | undefined;
}

type AskedBill = Extract<Asked, { what: 'bill' }>;

export const toFailure = (requestId: string, kind: FaultKind, ...deviceIds: readonly DeviceRef[]) =>
  failed({ requestId, ...(deviceIds.length > 0 && { deviceIds }) }, toDeviceFault(kind));

/** With real-time rating, usage is billed by APN; without it, by rating group. */
export const billedBy = ({ realTimeRating }: Pick<Account, 'realTimeRating'>): BilledBy =>
  realTimeRating ? 'apn' : 'rating_group';

/** One bill for all lines, or for all lines with a label. */
async function billTogether(
  { db }: Ctx,
  account: Account,
  { subject }: AskedBill,
  span: CountedDays,
  by: BilledBy,
) {
  if (!('label' in subject)) return billAccount(db, account, span, by);
  const page = { after: undefined, limit: DEVICES_MAX + 1 };
  const lines = await listLinesByLabel(db, account, subject.label, page);
  if (lines.length === 0) return billingFaults.deviceNotFound;
  if (lines.length > DEVICES_MAX) return billingFaults.tooLarge;
  const ids = lines.map(({ deviceId }) => deviceId);
  return billDevices(db, account, span, by, ids);
}

export async function answerBill(
  ctx: Ctx,
  account: Account,
  requestId: string,
  asked: AskedBill,
  cursor: Cursor,
): Promise<Step> {
  const { from, to, subject } = asked;
  const { accountName } = account;
  const { dayAt, daysOf } = calendarOf(account);
  const fromMs = billMonthStart(account, from.year, from.month);
  const span = daysOf({ fromMs, toMs: billMonthStart(account, to.year, to.month + 1) });
  const by = billedBy(account);
  const whose = {
    requestId,
    accountName,
    billingCycle: { from, to },
    ...('label' in subject && { label: subject.label }),
  };
  const fail = (kind: FaultKind) => ({ payloads: [toFailure(requestId, kind)] });
  const needsRecords = asked.lineLevel || 'label' in subject;
  if (needsRecords && ((await findLedgerStart(ctx.db, account)) ?? '') > dateOf(dayAt(fromMs)))
    return fail(billingFaults.recordsGone);
  if (!asked.lineLevel) {
    const bill = await billTogether(ctx, account, asked, span, by);
    return 'code' in bill ? fail(bill) : { payloads: toSummaries(whose, bill, by) };
  }

  const { lines, missing, next } = await findLines(ctx.db, account, subject, span, cursor);
  const bills = await billLines(ctx.db, account, span, by, lines);
  const payloads = [
    ...lines.flatMap(({ key, ref, always }) => {
      const bill = bills.get(key) ?? (always ? NOTHING_BILLED : undefined);
      return bill === undefined ? [] : toSummaries({ ...whose, deviceIdentifier: ref }, bill, by);
    }),
    ...missing.map((ref) => toFailure(requestId, billingFaults.deviceNotFound, ref)),
  ];
  if (payloads.length > 0 || next !== undefined || cursor.told) return { payloads, next };
  // No usage, or no device with the label: the listener still gets an answer.
  if ('label' in subject) return fail(billingFaults.deviceNotFound);
  return { payloads: toSummaries(whose, NOTHING_BILLED, by) };
}

/** The usage of devices in a period: one message for each step, with all of its devices. */
export async function answerUsage(
  ctx: Ctx,
  tenant: Account,
  requestId: string,
  { subject, fromDay, toDay }: Extract<Asked, { what: 'usage' }>,
  cursor: Cursor,
): Promise<Step> {
  const span = calendarOf(tenant).datesOf({ from: fromDay, to: toDay });
  const { lines, missing, next } = await findLines(ctx.db, tenant, subject, span, cursor);
  const bytes = await sumUsageOfDevices(
    ctx.db,
    tenant,
    span,
    lines.flatMap(({ deviceIds }) => deviceIds),
  );
  const totals = lines
    .filter(({ deviceIds, always }) => always || deviceIds.some((id) => bytes.has(id)))
    .map(({ deviceIds, refs, servicePlan }) => ({
      deviceIds: refs,
      bytesUsed: exactNumber(deviceIds.reduce((sum, id) => sum + BigInt(bytes.get(id) ?? 0), 0n).toString()),
      smsUsed: 0,
      ...(servicePlan !== null && { servicePlan }),
    }));
  const failures = missing.map((ref) => toFailure(requestId, billingFaults.deviceNotFound, ref));
  const isSilent = totals.length === 0 && failures.length === 0 && next === undefined && !cursor.told;
  if (isSilent && 'label' in subject)
    return { payloads: [toFailure(requestId, billingFaults.deviceNotFound)] };
  const deviceIds = totals.length === 1 ? totals[0]!.deviceIds : [];
  const answer = aggregateUsage({ requestId, deviceIds }, totals);
  return { payloads: totals.length > 0 || isSilent ? [answer, ...failures] : failures, next };
}
