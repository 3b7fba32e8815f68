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

/** The present plan that is meant. One that none of the devices is on fails the request: nothing could come of it. */
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

/** Takes a change of plan for up to 10,000 devices. What stands against single ones is told by their callbacks. */
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
  // Of devices that are not named one by one those are meant that the plan itself finds, in its own spelling.
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
  /** Only devices that are still on it are changed. */
  readonly fromPlan?: string;
  /** Now, or from the beginning of the bill cycle on that is open in the account when it is made; its usage goes with it. */
  readonly effectiveAt: 'CurrentDate' | 'BackDate';
  /** With BackDate: no earlier than this. */
  readonly notBefore?: string;
  /** Whatever decided it, for example a trigger by its id; the history of plans names it. */
  readonly requestedBy: string;
}

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
  // Triggers name plans by the carrier's codes. What is no plan stays as it is, and fails the devices.
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
