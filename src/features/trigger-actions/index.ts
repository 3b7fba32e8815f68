export type { ActingDeps, ActionPolicy, NewAction } from './action.ts';
export { type Chain, findChain, noteChangedPlans } from './chain.ts';
export { decideActions, poolMovesOf } from './decide-actions.ts';
export { decideFiring } from './decide-firing.ts';
export { dropActions } from './drop-actions.ts';
export { settleLines, startActions } from './lane.ts';
export { countApprovals, listApprovals } from './list-approvals.ts';
export { toWireAction, toWireFiring, withActions } from './list-firings.ts';
export { type FiredAction, type Outcome, outcomesOf, plannedFor } from './outcomes.ts';
export { planActions } from './plan-actions.ts';
export {
  DecidedFiring,
  FiringParams,
  WireFiringWithActions,
  WireNamedFiringWithActions,
} from './schemas.ts';
export { findAskedMark } from './sql-asked.ts';
export { listActionsOf } from './sql-firing-action.ts';
