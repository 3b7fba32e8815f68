import { isUuid } from '../../kernel/uuid.ts';
import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { areActionsPaused } from '../firings/index.ts';
import type { Viewer } from '../price-plan-triggers/index.ts';
import { holdTrigger } from '../price-plan-triggers/index.ts';
import type { ActingDeps } from './action.ts';
import { triggerActionFaults as faults } from './errors.ts';
import { lockLanes, startFree } from './lane.ts';
import {
  type ApprovalDecision,
  approveActions,
  type DecidedAction,
  findFiredBy,
  listDecidedActions,
  rejectActions,
} from './sql-approval.ts';
import { type ActionOfFiring, listActionsOf } from './sql-firing-action.ts';
import { queueLines } from './sql-queue.ts';

/** The approver, and the firings they may see; the operator sees all. */
interface Approver {
  readonly name: string;
  readonly viewer: Viewer | undefined;
}

async function requireTimely(ctx: Ctx, waiting: readonly DecidedAction[]): Promise<void> {
  if (waiting.some(({ approvableTo }) => approvableTo <= ctx.now())) refuse(faults.cycleClosed);
  if (await areActionsPaused(ctx)) refuse(faults.actionsPaused);
}

/** Approves or rejects the actions of a firing that affects more devices than it may without approval. */
export const decideFiring = (
  outer: Ctx,
  { name, viewer }: Approver,
  { firingId, decision }: { readonly firingId: string; readonly decision: ApprovalDecision },
  deps: ActingDeps,
): Promise<readonly ActionOfFiring[]> =>
  inTx(outer, async (ctx) => {
    const { db } = ctx;
    const id = isUuid(firingId) ? firingId.toLowerCase() : refuse(faults.firingNotFound);
    const fired = (await findFiredBy(db, id, viewer)) ?? refuse(faults.firingNotFound);
    const { ecpdId } = fired;
    // A change of the trigger may drop its actions: it commits before this, or waits.
    const isThere = (await holdTrigger(db, fired, 'share')) !== undefined;
    const accountNames = (await listDecidedActions(db, ecpdId, id)).map(({ accountName }) => accountName);
    const lanes = await lockLanes(ctx, ecpdId, [...new Set(accountNames)]);
    const actions = await listDecidedActions(db, ecpdId, id);
    const waiting = actions.filter(({ state }) => state === 'awaitingApproval');
    if (waiting.length === 0) {
      // Repeating a decision changes nothing; the opposite decision is refused.
      if (actions.some((action) => action.decision === decision)) return listActionsOf(db, [ecpdId], [id]);
      if (decision === 'approved' && actions.some(({ state }) => state === 'dropped'))
        refuse(isThere ? faults.actionDropped : faults.triggerDeleted);
      const isExpired = actions.some((one) => one.decision === null && one.approvableTo <= ctx.now());
      refuse(isExpired ? faults.cycleClosed : faults.nothingWaits);
    }
    const actionIds = waiting.map(({ actionId }) => actionId);
    if (decision === 'approved') {
      await requireTimely(ctx, waiting);
      await approveActions(db, ecpdId, actionIds, name);
      await queueLines(db, ecpdId, actionIds);
      for (const lane of lanes) await startFree(ctx, lane, { actionIds }, deps);
    } else await rejectActions(db, ecpdId, actionIds, { decidedBy: name, now: ctx.now() });
    // The audit log already has calls of the operator.
    if (viewer !== undefined) {
      const action = decision === 'approved' ? 'approveFiring' : 'rejectFiring';
      await writeAudit(ctx, { action, target: id, ecpdId });
    }
    return listActionsOf(db, [ecpdId], [id]);
  });
