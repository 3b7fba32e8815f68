import { addDays, type LocalDay } from '../../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import {
  type Compared,
  compareAccountDays,
  compareBillDays,
  compareDeviceDays,
  compareServices,
  findLastOfPage,
  findUsageDays,
} from './sql-reconcile.ts';

/** How many days of an account, or devices, one step adds up. */
const DAYS = 31;
const DEVICES = 100;
/** After every piece of a day: all pieces are compared with the last days. */
const LAST_DAY: LocalDay = '9999-01-01';
/** Time limit of one step, enough for an account with millions of records a day. */
const STEP_MS = 10 * 60_000;

/** Where the next step continues: services first, then the account's own counters by day, then those of its devices. */
export type ReconcileCursor =
  | { readonly what: 'days'; readonly from: LocalDay }
  | { readonly what: 'devices'; readonly after: string | undefined };

interface ReconcileStep extends Compared {
  readonly next: ReconcileCursor | undefined;
}

/** Adds up the ledger again, a limited part in each step, and compares it with the counters. It changes nothing. */
export const reconcileUsage = (
  outer: Ctx,
  tenant: Tenant,
  cursor: ReconcileCursor | undefined,
): Promise<ReconcileStep> =>
  outer.db.tx(
    async (db) => {
      await db.allowTime(STEP_MS);
      const { from, to } = await findUsageDays(db, tenant);
      if (cursor === undefined) {
        const next = from === null ? undefined : { what: 'days' as const, from };
        return { ...(await compareServices(db, tenant)), next };
      }
      if (from === null || to === null) return { checked: 0, differences: [], next: undefined };
      if (cursor.what === 'devices') {
        const { deviceId: upTo, isLast } = await findLastOfPage(db, tenant, cursor.after, DEVICES);
        const compared = await compareDeviceDays(db, tenant, { from, to }, { after: cursor.after, upTo });
        return { ...compared, next: isLast ? undefined : { what: 'devices', after: upTo } };
      }
      const start = cursor.from < from ? from : cursor.from;
      const end = addDays(start, DAYS);
      const isLast = end >= to;
      const span = { from: start, to: isLast ? LAST_DAY : end, startsOn: from };
      const account = await compareAccountDays(db, tenant, span);
      const bill = await compareBillDays(db, tenant, span);
      const compared = {
        checked: account.checked + bill.checked,
        differences: [...account.differences, ...bill.differences],
      };
      const next: ReconcileCursor = isLast
        ? { what: 'devices', after: undefined }
        : { what: 'days', from: end };
      return { ...compared, next };
    },
    { readOnly: true },
  );
