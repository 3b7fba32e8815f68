import { billMonth } from '../../kernel/bill-cycle.ts';
import type { Ctx } from '../../platform/context/context.ts';
import type { FaultKind } from '../../platform/context/fault.ts';
import type { Account } from '../accounts/index.ts';
import { failed } from '../callbacks/index.ts';
import {
  type BilledBy,
  billAccount,
  billDevices,
  billLines,
  type DaySpan,
  findLedgerStart,
  NOTHING_BILLED,
} from '../usage/index.ts';
import { billingFaults } from './errors.ts';
import { findLines } from './find-lines.ts';
import { listLinesByLabel } from './sql-line.ts';
import { type Asked, type Cursor, DEVICES_MAX } from './summary-request.ts';
import { toSummaries } from './wire.ts';

/** What a step of a request tells its listener, and where the next one goes on. */
export interface Step {
  readonly payloads: readonly object[];
  readonly next?: Pick<Cursor, 'done' | 'after'> | undefined;
}

type AskedBill = Extract<Asked, { what: 'bill' }>;

export const toFault = ({ code, message }: FaultKind) => ({ faultcode: code, faultstring: message });

/** With real-time rating usage has its APN, without it its rating group. */
export const billedBy = ({ realTimeRating }: Pick<Account, 'realTimeRating'>): BilledBy =>
  realTimeRating ? 'apn' : 'rating_group';

/** Of all lines, or of all that carry a label, together. */
async function billTogether(
  { db }: Ctx,
  account: Account,
  { subject }: AskedBill,
  span: DaySpan,
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
  const { billCycleDay, accountName } = account;
  const span = {
    from: billMonth(from.year, from.month, billCycleDay).from,
    to: billMonth(to.year, to.month, billCycleDay).to,
  };
  const by = billedBy(account);
  const whose = {
    requestId,
    accountName,
    billingCycle: { from, to },
    ...('label' in subject && { label: subject.label }),
  };
  const fail = (kind: FaultKind) => ({ payloads: [failed({ requestId }, toFault(kind))] });
  const readsRecords = asked.lineLevel || 'label' in subject;
  if (readsRecords && ((await findLedgerStart(ctx.db, account)) ?? span.from) > span.from)
    return fail(billingFaults.recordsGone);
  if (!asked.lineLevel) {
    const bill = await billTogether(ctx, account, asked, span, by);
    return 'code' in bill ? fail(bill) : { payloads: toSummaries(whose, bill, by) };
  }

  const { lines, missing, next } = await findLines(ctx.db, account, subject, span, cursor);
  const ids = lines.map(({ deviceId }) => deviceId);
  const bills = await billLines(ctx.db, account, span, by, ids);
  const payloads = [
    ...lines.flatMap(({ deviceId, ref, named }) => {
      const bill = bills.get(deviceId) ?? (named ? NOTHING_BILLED : undefined);
      return bill === undefined ? [] : toSummaries({ ...whose, deviceIdentifier: ref }, bill, by);
    }),
    ...missing.map((ref) => failed({ requestId, deviceIds: [ref] }, toFault(billingFaults.deviceNotFound))),
  ];
  if (payloads.length > 0 || next !== undefined || cursor.told) return { payloads, next };
  // Nothing was used, or nobody carries the label: whoever waits hears that.
  if ('label' in subject) return fail(billingFaults.deviceNotFound);
  return { payloads: toSummaries(whose, NOTHING_BILLED, by) };
}
