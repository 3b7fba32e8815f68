import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { createRequestFor, type WorkJob } from '../carrier-requests/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { PLAN_CHANGE } from './schemas.ts';

export interface OwnPlanChange {
  readonly deviceIds: readonly string[];
  readonly servicePlan: string;
  /** Only devices that are still on it are changed. */
  readonly fromPlan?: string;
  /** Now, or from the beginning of the bill cycle on that is open in the account when it is made; its usage goes with it. */
  readonly effectiveAt: 'CurrentDate' | 'BackDate';
  /** With BackDate: no earlier than this. */
  readonly notBefore?: string;
  /** Whatever decided it, for example a trigger by its id; the history of plans names it. */
  readonly requestedBy: string;
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
  { deviceIds, servicePlan, fromPlan, effectiveAt, notBefore, requestedBy }: OwnPlanChange,
  workJob: WorkJob,
): Promise<string | undefined> {
  const body = {
    servicePlan: await planCodeOf(tx, servicePlan),
    skipsSuspended: true,
    ...(fromPlan !== undefined && { currentServicePlan: await planCodeOf(tx, fromPlan) }),
    ...(effectiveAt === 'BackDate' && { backDate: true, ...(notBefore !== undefined && { notBefore }) }),
  };
  return createRequestFor(
    tx,
    tenant,
    { operation: PLAN_CHANGE, body, createdBy: requestedBy, deviceIds },
    workJob,
  );
}
