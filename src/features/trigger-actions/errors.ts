import { defineFaults } from '../../platform/context/fault.ts';

export const triggerActionFaults = defineFaults({
  invalidBefore: { status: 400, code: 'invalid_page', message: 'Invalid before: no firing has this id' },
  firingNotFound: {
    status: 404,
    code: 'firing_not_found',
    message: 'No firing has this id, or it has no action.',
  },
  nothingWaits: {
    status: 409,
    code: 'nothing_to_approve',
    message: 'The firing has no action that waits for approval',
  },
  cycleClosed: {
    status: 409,
    code: 'cycle_closed',
    message: 'The cycle in which the trigger fired is over: the action cannot be approved any more',
  },
  triggerDeleted: {
    status: 409,
    code: 'trigger_deleted',
    message: 'The trigger was deleted: its actions cannot be approved any more',
  },
  actionsPaused: { status: 409, code: 'actions_paused', message: 'Actions are paused by the operator' },
});
