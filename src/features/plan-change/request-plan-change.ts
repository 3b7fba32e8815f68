import { type Ctx, inTx, type Tenant } from '../../platform/context.ts';
import { refuse } from '../../platform/fault.ts';
import { createRequest, type Selection, type WorkJob } from '../carrier-requests/index.ts';
import { findPlanRules } from '../plans/index.ts';
import { planChange } from './change-plans.ts';
import { planChangeFaults } from './errors.ts';
import type { PlanChangeBody } from './schemas.ts';
import { insertPlaces, isAnyOnPlan } from './sql.ts';
import { checkTakeEffect, readChosen } from './wire.ts';

/** A plan that none of the devices is on fails the request: nothing could come of it. */
async function checkCurrentPlan({ db }: Ctx, tenant: Tenant, planCode: string, selection: Selection) {
  if ((await findPlanRules(db, planCode)) === undefined) refuse(planChangeFaults.currentPlanNotFound);
  if ('named' in selection && !(await isAnyOnPlan(db, tenant, selection.named.flat(), planCode)))
    refuse(planChangeFaults.noneOnCurrentPlan);
}

/** Takes a change of plan for up to 10,000 devices. What stands against single ones is told by their callbacks. */
export async function requestPlanChange(
  outer: Ctx,
  tenant: Tenant,
  { body, createdBy }: { readonly body: PlanChangeBody; readonly createdBy: string },
  workJob: WorkJob,
): Promise<{ readonly requestId: string }> {
  const { servicePlan, currentServicePlan } = body;
  checkTakeEffect(body.takeEffect, outer.now());
  const { selection, places } = readChosen(body);
  if ((await findPlanRules(outer.db, servicePlan)) === undefined) refuse(planChangeFaults.planNotFound);
  if (currentServicePlan !== undefined) await checkCurrentPlan(outer, tenant, currentServicePlan, selection);
  const stored = {
    servicePlan,
    ...(currentServicePlan !== undefined && { currentServicePlan }),
    ...(places.length > 0 && { hasPlaces: true }),
  };
  return inTx(outer, async (ctx) => {
    const asked = { operation: planChange, body: stored, createdBy, selection, states: ['active'] };
    const { requestId } = await createRequest(ctx, tenant, asked, workJob);
    if (places.length > 0) await insertPlaces(ctx.db, tenant, requestId, places);
    return { requestId };
  });
}
