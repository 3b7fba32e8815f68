import type { FiringWithActions } from './list-firings.ts';
import type { WireAction } from './schemas.ts';
import type { ActionOfFiring } from './sql-firing-action.ts';

export const toWireAction = ({ firingId: _, reason, requestIds, ...action }: ActionOfFiring): WireAction => ({
  ...action,
  ...(reason !== null && { reason }),
  requestIds: [...requestIds],
});

export const toWireFiring = ({ actions, ...firing }: FiringWithActions) => ({
  ...firing,
  actions: actions.map(toWireAction),
});
