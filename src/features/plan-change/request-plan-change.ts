import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { createRequest, createRequestFor, type Selection, type WorkJob } from '../carrier-requests/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { planChangeFaults } from './errors.ts';
import { PLAN_CHANGE, type PlanChangeBody } from './schemas.ts';
import { insertPlaces, isAnyOnPlan } from './sql.ts';
import { checkTakeEffect, parseChosen } from './wire.ts';

const findPlanCode = async ({ db }: Ctx, code: string): Promise<string | undefined> =>
  (await findPlanRules(db, code))?.code;

/** Resolves the current plan. Refuses the request if none of the named devices is on it, because nothing could be changed. */
async function findCurrentPlan(
  ctx: Ctx,
  tenant: Tenant,
  given: string,
  selection: Selection,
): Promise<string> {
  const code = (await findPlanCode(ctx, given)) ?? refuse(planChangeFaults.currentPlanNotFound);
  if ('named' in selection && !(await isAnyOnPlan(ctx.db, tenant, selection.named.flat(), code)))
    refuse(planChangeFaults.noneOnCurrentPlan);
  return code;
}

/** Accepts a plan change for up to 10,000 devices. Callbacks report the faults of single devices. */
export async function requestPlanChange(
  outer: Ctx,
  tenant: Tenant,
  { body, createdBy }: { readonly body: PlanChangeBody; readonly createdBy: string },
  workJob: WorkJob,
): Promise<{ readonly requestId: string }> {
  checkTakeEffect(body.takeEffect, outer.now());
  const { selection, places } = parseChosen(body);
  const servicePlan = (await findPlanCode(outer, body.servicePlan)) ?? refuse(planChangeFaults.planNotFound);
  const currentServicePlan =
    body.currentServicePlan && (await findCurrentPlan(outer, tenant, body.currentServicePlan, selection));
  const stored = {
    servicePlan,
    ...(currentServicePlan !== undefined && { currentServicePlan }),
    ...(places.length > 0 && { hasPlaces: true }),
  };
  // Select unnamed devices by the code that the plan itself has, whatever code the request used.
  const chosen = 'named' in selection ? selection : { servicePlan: currentServicePlan };
  return inTx(
    outer,
    async (ctx) => {
      const asked = {
        operation: PLAN_CHANGE,
        body: stored,
        createdBy,
        selection: chosen,
        states: ['active'],
      };
      const { requestId } = await createRequest(ctx, tenant, asked, workJob);
      if (places.length > 0) await insertPlaces(ctx.db, tenant, requestId, places);
      return { requestId };
    },
    tenant.ecpdId,
  );
}

export interface OwnPlanChange {
  readonly deviceIds: readonly string[];
  readonly servicePlan: string;
  /** Changes only devices that are still on this plan. */
  readonly fromPlan?: string;
  /**
   * CurrentDate: now. BackDate: from the start of the bill cycle that is open when the change is made; the usage since
   * then moves with it.
   */
  readonly effectiveAt: 'CurrentDate' | 'BackDate';
  /** With BackDate: not before this time. */
  readonly notBefore?: string;
  /** What decided it, for example the id of a trigger. The plan history names it. */
  readonly requestedBy: string;
}

/**
 * For features that change plans on their own. Call it in the transaction that decides the change. All rules of a
 * requested change apply, including four a month, and a callback reports each device; suspended devices are skipped.
 * Returns the request's id, or undefined if the account has none of the devices.
 */
export async function changePlansByItself(
  tx: Ctx,
  tenant: Tenant,
  { deviceIds, servicePlan, fromPlan, effectiveAt, notBefore, requestedBy }: OwnPlanChange,
  workJob: WorkJob,
): Promise<string | undefined> {
  // Triggers name plans by the carrier's codes. An unknown code is kept, and the devices fail.
  const codeOf = async (given: string) => (await findPlanCode(tx, given)) ?? given;
  const body = {
    servicePlan: await codeOf(servicePlan),
    skipsSuspended: true,
    ...(fromPlan !== undefined && { currentServicePlan: await codeOf(fromPlan) }),
    ...(effectiveAt === 'BackDate' && { backDate: true, ...(notBefore !== undefined && { notBefore }) }),
  };
  const asked = { operation: PLAN_CHANGE, body, createdBy: requestedBy, deviceIds };
  return createRequestFor(tx, tenant, asked, workJob);
}
