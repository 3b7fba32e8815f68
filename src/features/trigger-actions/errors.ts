import { defineFaults, fault, faultsOf } from '../../platform/context/fault.ts';

export const triggerActionFaults = defineFaults({
  invalidBefore: fault(400, 'invalid_page', 'Invalid before: no firing has this id'),
  firingNotFound: fault(404, 'firing_not_found', 'No firing has this id, or it has no action.'),
  nothingWaits: fault(409, 'nothing_to_approve', 'The firing has no action that waits for approval'),
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
  actionDropped: fault(
    409,
    'action_dropped',
    'The trigger was switched off or its action was changed: the action cannot be approved any more',
  ),
  actionsPaused: fault(409, 'actions_paused', 'Actions are paused by the operator'),
});

/** Faults that a callback reports for one line. */
export const lineFaults = defineFaults({
  dropped: faultsOf('DeviceService').failed('TriggerActionDropped', 'The line was not changed'),
});
