import { defineFaults } from '../../platform/context/fault.ts';
import { TRIGGERS_PER_PROFILE_MAX } from './price-plan-trigger.ts';

export const pricePlanTriggerFaults = defineFaults({
  /** The reason begins with the field at fault. */
  invalid: { status: 400, code: 'invalid_trigger', message: 'The trigger cannot be used' },
  notFound: { status: 404, code: 'trigger_not_found', message: 'Trigger not found.' },
  invalidPage: { status: 400, code: 'invalid_page', message: 'page is not the X-Next of this list' },
  invalidBefore: { status: 400, code: 'invalid_page', message: 'Invalid before: no firing has this id' },
  /** The reason says what is wrong with it. */
  invalidPeriod: { status: 400, code: 'invalid_period', message: 'The period cannot be looked at' },
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
  tooMany: {
    status: 400,
    code: 'too_many_triggers',
    message: `A profile has at most ${TRIGGERS_PER_PROFILE_MAX} price plan triggers`,
  },
});
