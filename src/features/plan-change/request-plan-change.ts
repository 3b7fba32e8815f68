import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { createRequest, type Selection, type WorkJob } from '../carrier-requests/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { planChangeFaults } from './errors.ts';
import { PLAN_CHANGE, type PlanChangeBody } from './schemas.ts';
import { insertPlaces, isAnyOnPlan } from './sql.ts';
import { checkTakeEffect, readChosen } from './wire.ts';

const findPlanCode = async ({ db }: Ctx, code: string): Promise<string | undefined> =>
  (await findPlanRules(db, code))?.code;

/** The present plan that is meant. One that none of the devices is on fails the request: nothing could come of it. */
async function readCurrentPlan(
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
  const { selection, places } = readChosen(body);
  const servicePlan = (await findPlanCode(outer, body.servicePlan)) ?? refuse(planChangeFaults.planNotFound);
  const currentServicePlan =
    body.currentServicePlan && (await readCurrentPlan(outer, tenant, body.currentServicePlan, selection));
  const stored = {
    servicePlan,
    ...(currentServicePlan !== undefined && { currentServicePlan }),
    ...(places.length > 0 && { hasPlaces: true }),
  };
  // Of devices that are not named one by one those are meant that the plan itself finds, in its own spelling.
  const chosen = 'named' in selection ? selection : { servicePlan: currentServicePlan };
  return inTx(outer, async (ctx) => {
    const asked = { operation: PLAN_CHANGE, body: stored, createdBy, selection: chosen, states: ['active'] };
    const { requestId } = await createRequest(ctx, tenant, asked, workJob);
    if (places.length > 0) await insertPlaces(ctx.db, tenant, requestId, places);
    return { requestId };
  });
}
