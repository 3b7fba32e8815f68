import type { Ctx, Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { findManagedAccount, listManagedAccounts } from '../accounts/index.ts';
import { requireRegistered } from '../consents/index.ts';
import { allowanceOf, countTransactions, type DayRange, findSubscription } from '../usage/index.ts';
import { locationFaults } from './errors.ts';

export interface UsageReport {
  readonly skuName: string;
  readonly allowed: number;
  /** Undefined for a managed account, which is told about itself only. */
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

/** mm-dd-yyyy as yyyy-mm-dd; refused when there is no such day. */
function readDay(text: string, field: string): string {
  const [, month, day, year] = SHAPE.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const at = new Date(`${iso}T00:00:00Z`);
  if (Number(year) < 1000 || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso)
    refuse(locationFaults.inputBinding, { reason: `${field} must be a day as mm-dd-yyyy` });
  return iso;
}

export function readRange({ startDate, endDate }: { startDate: string; endDate: string }): DayRange {
  const range = { from: readDay(startDate, 'startDate'), to: readDay(endDate, 'endDate') };
  if (range.from > range.to)
    refuse(locationFaults.inputBinding, { reason: 'endDate must not be before startDate' });
  return range;
}

/** How many current fixes were billed in the days of the range, each account by the days of its own zone. */
export async function reportUsage(
  ctx: Ctx,
  tenant: Tenant,
  range: DayRange,
  forAllAccounts: boolean,
): Promise<UsageReport> {
  const { db } = ctx;
  const [subscription, managedBy] = await Promise.all([
    findSubscription(db, tenant, SERVICE),
    findManagedAccount(db, tenant, SERVICE),
    requireRegistered(ctx, tenant),
  ]);
  const isManaged = managedBy?.state === 'provisioned';
  const children =
    forAllAccounts && !isManaged
      ? await listManagedAccounts(db, tenant, { serviceName: SERVICE, state: 'provisioned' })
      : [];
  const names = [tenant.accountName, ...children.map(({ accountName }) => accountName)];
  const [own, ...managed] = await countTransactions(db, tenant.ecpdId, names, SERVICE, range);
  const skuName = subscription?.skuName ?? managedBy?.skuName ?? '';
  return {
    skuName,
    allowed: allowanceOf(skuName, subscription?.allowance ?? null),
    primary: isManaged ? undefined : own!,
    managed: isManaged ? [own!] : managed,
    total: [own!, ...managed].reduce((sum, { count }) => sum + count, 0n),
  };
}
