import { cycleOf, dayFinder } from '../../kernel/bill-cycle.ts';
import type { Ctx, Tenant } from '../../platform/context.ts';
import { findAccount } from '../accounts/index.ts';
import { createRequestFor, type WorkJob } from '../carrier-requests/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { planChange } from './change-plans.ts';

export interface OwnPlanChange {
  readonly deviceIds: readonly string[];
  readonly servicePlan: string;
  /** Only devices that are still on it are changed. */
  readonly fromPlan?: string;
  /** Now, or from the beginning of the account's billing cycle on. */
  readonly effectiveAt: 'CurrentDate' | 'BackDate';
  /** Whatever decided it, for example a trigger by its id; the history of plans names it. */
  readonly requestedBy: string;
}

async function startOfCycle({ db, now }: Ctx, tenant: Tenant): Promise<Date> {
  const account = await findAccount(db, tenant);
  const { dayAt, startOf } = dayFinder(account?.timeZone ?? 'UTC');
  return new Date(startOf(cycleOf('Monthly', dayAt(now().getTime()), account?.billCycleDay ?? 1).from));
}

/** Triggers name plans by the carrier's codes. What is no plan stays as it is, and fails the devices. */
const planCodeOf = async ({ db }: Ctx, code: string): Promise<string> =>
  (await findPlanRules(db, code))?.code ?? code;

/**
 * For features that change plans by themselves, in the transaction in which they decide it. Every rule of a change by
 * request holds, the four a month too, and each device is told of; suspended ones are passed over. Answers the request's
 * id, or undefined when the account has none of the devices.
 */
export async function changePlansByItself(
  tx: Ctx,
  tenant: Tenant,
  { deviceIds, servicePlan, fromPlan, effectiveAt, requestedBy }: OwnPlanChange,
  workJob: WorkJob,
): Promise<string | undefined> {
  const body = {
    servicePlan: await planCodeOf(tx, servicePlan),
    skipsSuspended: true,
    ...(fromPlan !== undefined && { currentServicePlan: await planCodeOf(tx, fromPlan) }),
    ...(effectiveAt === 'BackDate' && { since: (await startOfCycle(tx, tenant)).toISOString() }),
  };
  return createRequestFor(
    tx,
    tenant,
    { operation: planChange, body, createdBy: requestedBy, deviceIds },
    workJob,
  );
}
