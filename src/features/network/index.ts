export { type ConnectedElement, createOrderEngine, type OrderEngine } from './carrying/engine.ts';
export type { CheckedNetwork } from './check-lines.ts';
export { confirmLater } from './confirm-order.ts';
export { findCheckProgress } from './find-check-progress.ts';
export { orderImported, stageLines } from './fleet-lines.ts';
export { checkHeld, clearSettled, findHeld, holdResumes, noteUnmade, orderHeld } from './hold-lines.ts';
export type { LineNetwork } from './line-network.ts';
export { listElements } from './list-elements.ts';
export { ORDER_CHANNEL, orderDeletion, orderLines, putBack } from './order-lines.ts';
export { pauseElement, resumeElement } from './pause-element.ts';
export type { LineIds, LineOrder, LineTruth, NetworkElement, OrderOutcome } from './port.ts';
export { createRouting, type ServedLines } from './routing.ts';
export { findSimulatedOrders, routeSimulated, SIMULATED, setSimulatedOrders } from './simulated-orders.ts';
export { listDifferences } from './sql-difference.ts';
export {
  type ClosedOrder,
  countUnfollowed,
  listNetworkLines,
  listUnfollowedByDevice,
  listUnfollowedOf,
} from './sql-order.ts';
export { startCheck } from './start-check.ts';
