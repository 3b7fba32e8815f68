import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { findActivation } from '../accounts/index.ts';
import { requireRegistered } from '../consents/index.ts';
import { allowanceOf, countOwnUses, type DayRange, findSubscription, listPaidUses } from '../usage/index.ts';
import { locationFaults } from './errors.ts';

export interface UsageReport {
  readonly skuName: string;
  readonly allowed: number;
  /** Undefined for a managed account, which sees only itself. */
  readonly primary: AccountCount | undefined;
  readonly managed: readonly AccountCount[];
  readonly total: bigint;
}

interface AccountCount {
  readonly accountName: string;
  readonly count: bigint;
}

const SERVICE = 'Location';
const SHAPE = /^(\d{2})-(\d{2})-(\d{4})$/;

/** Converts mm-dd-yyyy to yyyy-mm-dd. Refuses days that do not exist. */
function parseDay(text: string, field: string): string {
  const [, month, day, year] = SHAPE.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const at = new Date(`${iso}T00:00:00Z`);
  if (Number(year) < 1000 || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso)
    refuse(locationFaults.inputBinding, { reason: `${field} must be a day as mm-dd-yyyy` });
  return iso;
}

export function parseRange({ startDate, endDate }: { startDate: string; endDate: string }): DayRange {
  const range = { from: parseDay(startDate, 'startDate'), to: parseDay(endDate, 'endDate') };
  if (range.from > range.to)
    refuse(locationFaults.inputBinding, { reason: 'endDate must not be before startDate' });
  return range;
}

type Counts = Pick<UsageReport, 'primary' | 'managed' | 'total'>;

/** Everything the account itself used, regardless of which account paid. */
async function countOwn(
  { db }: Ctx,
  tenant: Tenant,
  range: DayRange,
  { isManaged }: { readonly isManaged: boolean },
): Promise<Counts> {
  const own = { accountName: tenant.accountName, count: await countOwnUses(db, tenant, SERVICE, range) };
  return { primary: isManaged ? undefined : own, managed: isManaged ? [own] : [], total: own.count };
}

/** Everything the account paid for: the same uses that its statements, triggers and limits count. */
async function countPaid({ db }: Ctx, tenant: Tenant, range: DayRange): Promise<Counts> {
  const [own, ...managed] = await listPaidUses(db, tenant, SERVICE, range);
  return { primary: own!, managed, total: own!.total };
}

/**
 * Counts the current fixes billed in the range, in days of the account's time zone. The payer of a use is decided when it
 * happens: an account that moves to another primary takes no past uses along.
 */
export async function reportUsage(
  ctx: Ctx,
  tenant: Tenant,
  range: DayRange,
  forAllAccounts: boolean,
): Promise<UsageReport> {
  const [subscription, activation] = await Promise.all([
    findSubscription(ctx.db, tenant, SERVICE),
    findActivation(ctx.db, tenant, SERVICE),
    requireRegistered(ctx, tenant),
  ]);
  const isManaged = activation !== undefined;
  const counts =
    forAllAccounts && !isManaged
      ? await countPaid(ctx, tenant, range)
      : await countOwn(ctx, tenant, range, { isManaged });
  const skuName = subscription?.skuName ?? activation?.skuName ?? '';
  return { skuName, allowed: allowanceOf(skuName, subscription?.allowance ?? null), ...counts };
}
